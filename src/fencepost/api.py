"""The functions that most callers need; each takes the fields of `Options` as keywords."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, TypedDict, Unpack

from fencepost import corpus
from fencepost.model import ChunkedDocument
from fencepost.options import MdxMode, Options, Policy
from fencepost.pipeline import Chunker

if TYPE_CHECKING:
    import tiktoken
    import tokenizers


class Fields(TypedDict, total=False):
    """The fields of `Options`."""

    max_tokens: int
    hard_max_tokens: int
    min_tokens: int
    overlap_tokens: int
    tokenizer: str | Callable[[str], int] | tiktoken.Encoding | tokenizers.Tokenizer
    policy: Mapping[str, Policy]
    breadcrumb: bool
    split_levels: tuple[int, ...]
    mdx: MdxMode
    url: str | None
    strict: bool
    max_document_bytes: int | None
    time_limit_s: float | None


def chunk(
    text: str | bytes,
    *,
    format: str | None = None,
    source: str = "",
    **options: Unpack[Fields],
) -> ChunkedDocument:
    """Return the chunks of a document; see `Chunker.chunk` for arguments and errors.

    >>> doc = chunk("# Gate\\n\\n## Open\\n\\nLift the latch.\\n", min_tokens=0)
    >>> doc[0].heading_path
    ('Gate', 'Open')
    """
    return Chunker(Options(**options)).chunk(text, format=format, source=source)


def chunk_file(
    path: str | PathLike[str],
    *,
    format: str | None = None,
    **options: Unpack[Fields],
) -> ChunkedDocument:
    """Return the chunks of a file; its suffix tells the format unless it is given.

    Raises:
        OSError: the file cannot be read.
        UnknownFormatError: no reader takes it.
        EncodingError: it is neither UTF-8 nor UTF-16 with BOM.
        DocumentError: it is past a limit, or faulty where `strict` is set.
    """
    return corpus.chunk_file(path, Options(**options), format=format)


def chunk_files(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    jobs: int = 1,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    format: str | None = None,
    **options: Unpack[Fields],
) -> Iterator[ChunkedDocument]:
    """Return the chunked documents of files and folders, lazily and in order.

    Args:
        paths: files and folders; folders are walked, `.gitignore` and hidden files respected.
        jobs: worker processes; 1 for none.
        include: patterns of files to take, relative to the folder that is walked.
        exclude: patterns of files to leave out.
        format: the format of every file; what its suffix says if not given.

    The first document that fails raises its error, with a note that names the file.
    """
    return corpus.chunk_files(
        paths, Options(**options), jobs=jobs, include=include, exclude=exclude, format=format
    )
