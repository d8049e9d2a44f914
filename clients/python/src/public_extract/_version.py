# Written by `npm run generate` from the table of endpoints: change that, and not this file.
"""The version."""

VERSION = "0.1.0"

"""The version of this package, which equals the version of the server that it was generated from."""
