"""Writes the videos of a hashtag and their comments as two CSV files in the working folder."""

import csv
import sys
from collections.abc import Iterable, Mapping
from itertools import islice

from public_extract import Client


def write(file: str, rows: Iterable[Mapping[str, object]], columns: list[str]) -> None:
    with open(file, "w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, columns, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)


client = Client()
hashtag, count = sys.argv[1], int(sys.argv[2])
found = client.search_shortvideo_videos(query=hashtag, limit=2, sources=True, demo=True)
links = {source["id"]: source["url"] for page in found.paginate() for source in page.sources}
videos = list(islice(found.items(), count))
write("videos.csv", ({**video, "link": links[video["id"]]} for video in videos), ["id", "link", "description"])
comments = (
    {"video_id": video["id"], "id": comment["id"], "text": comment["text"], "like_count": comment["like_count"]}
    for video in videos
    for comment in client.get_shortvideo_comments(id=video["id"], demo=True).items()
)
write("comments.csv", comments, ["video_id", "id", "text", "like_count"])
