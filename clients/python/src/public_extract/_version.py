# Written by `npm run generate` from the table of endpoints: change that, and not this file.
"""The version."""

VERSION = "0.1.0"

"""The version of this package: that of the server it was made with."""
