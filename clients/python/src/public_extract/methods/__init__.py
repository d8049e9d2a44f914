# Written by `npm run generate` from the table of endpoints: change that, and not this file.
"""The methods of the clients."""

from .maps import AsyncMapsMethods, MapsMethods
from .pronetwork import AsyncPronetworkMethods, PronetworkMethods
from .photosocial import AsyncPhotosocialMethods, PhotosocialMethods
from .shortvideo import AsyncShortvideoMethods, ShortvideoMethods
from .service import AsyncServiceMethods, ServiceMethods
from .batch import AsyncBatch, Batch


class Methods(
    MapsMethods, PronetworkMethods, PhotosocialMethods, ShortvideoMethods, ServiceMethods, Batch,
):
    """Every endpoint and operation as a method."""


class AsyncMethods(
    AsyncMapsMethods, AsyncPronetworkMethods, AsyncPhotosocialMethods, AsyncShortvideoMethods,
    AsyncServiceMethods, AsyncBatch,
):
    """Every endpoint and operation as a method."""
