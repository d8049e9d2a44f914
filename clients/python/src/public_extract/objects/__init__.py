# Written by `npm run generate` from the table of endpoints: change that, and not this file.
"""Every object that a call gives."""

from .maps import *
from .pronetwork import *
from .photosocial import *
from .shortvideo import *
from .service import *
