"""The parameters that endpoints share, and the signatures of methods."""

from collections import ChainMap
from collections.abc import Callable
from inspect import Parameter, Signature, isfunction, signature
from typing import Any, TypedDict, Unpack, get_args, get_origin, get_overloads, get_type_hints


class Params(TypedDict, total=False):
    """Parameters of every call, except `sources`, which determines the type of its answer."""

    fresh: bool
    """Skip the cache and fetch now; charged as usual."""
    demo: bool
    """Return sample data: no network, no key, no charge."""
    timeout: float | None
    """Maximum seconds of one attempt; the client's `timeout` by default."""


class PageParams(Params, total=False):
    """Parameters of every call for a list."""

    limit: int | None
    """Items per page."""
    cursor: str | None
    """`next_cursor` of the previous page."""


def _kinds(method: Callable[..., Any]) -> list[Any]:
    """Returns the `TypedDict`s of its keywords."""
    hints = (hint for one in get_overloads(method) or [method] for hint in one.__annotations__.values())
    return [get_args(hint)[0] for hint in hints if get_origin(hint) is Unpack]


def _spelled(method: Callable[..., Any]) -> Signature:
    """Returns the signature with each keyword by name, which notebooks inspect for completion."""
    kinds = _kinds(method)
    keywords = [
        Parameter(
            name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if all(name in kind.__required_keys__ for kind in kinds) else None,
            annotation=hint,
        )
        for name, hint in ChainMap(*map(get_type_hints, kinds)).items()
    ]
    method_signature = signature(method)
    named = [one for one in method_signature.parameters.values() if one.kind is not Parameter.VAR_KEYWORD]
    return method_signature.replace(parameters=[*named, *keywords])


class Spelled:
    """Methods that take their keywords as a `TypedDict`."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for method in vars(cls).values():
            if isfunction(method) and _kinds(method):
                method.__dict__["__signature__"] = _spelled(method)
