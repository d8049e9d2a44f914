# Written by `npm run generate` from the table of endpoints: change that, and not this file.
"""The endpoints by their paths."""

from typing import Literal

Endpoint = Literal[
    "maps/places", "maps/place", "maps/reviews", "maps/photos", "pronetwork/profile", "pronetwork/company",
    "pronetwork/posts", "pronetwork/jobs", "photosocial/profile", "photosocial/posts", "photosocial/post",
    "photosocial/comments", "photosocial/hashtag", "shortvideo/profile", "shortvideo/videos", "shortvideo/video",
    "shortvideo/comments", "shortvideo/search",
]
