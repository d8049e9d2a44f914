"""The client against a real server: the JSON file `EXTRACT_TEST_SERVER` has its address, a key and its samples."""

import asyncio
import json
import os
import tempfile
import unittest
from importlib.util import find_spec
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import public_extract
from public_extract import AsyncClient, Client, Page, SourcedPage, objects, to_dataframe, verify_webhook

TEST = json.loads(Path(os.environ["EXTRACT_TEST_SERVER"]).read_text())
SAMPLES: list[dict[str, Any]] = TEST["samples"]
SOURCE_COLUMNS = ["source_id", "source_url", "author_handle", "author_name", "position", "fetched_at"]
NAMES: list[str] = TEST["names"]
VIDEOS = {"username": "mira.kettle", "limit": 2, "demo": True}


def setUpModule() -> None:
    os.environ["EXTRACT_BASE_URL"] = TEST["url"]
    os.environ.pop("EXTRACT_API_KEY", None)


class Demo(unittest.TestCase):
    def test_every_endpoint_returns_its_sample_without_a_key(self) -> None:
        client = Client()
        for sample in SAMPLES:
            answer = getattr(client, sample["operation"])(**sample["params"], demo=True)
            self.assertEqual(answer.data, sample["data"], sample["operation"])
            self.assertEqual(answer.meta["credits_charged"], 0)
        self.assertEqual(len(SAMPLES), 18)

    def test_classes_declare_the_fields_of_answers(self) -> None:
        for sample in SAMPLES:
            declared = getattr(objects, sample["object"])
            data = sample["data"]
            for item in data if isinstance(data, list) else [data]:
                self.assertEqual(set(item), declared.__required_keys__, sample["object"])

    def test_methods_show_their_keywords_to_notebooks(self) -> None:
        own = {"place_id", "url", "sort", "limit", "cursor"}
        every = {"self", "sources", "fresh", "demo", "timeout"}
        for shown in (signature(Client.get_place_reviews), signature(AsyncClient.get_place_reviews)):
            self.assertEqual(set(shown.parameters), own | every)
        self.assertIs(signature(Client().search_places).parameters["query"].default, Parameter.empty)

    def test_async_calls_run_concurrently_with_equal_answers(self) -> None:
        async def ask() -> list[Any]:
            client = AsyncClient()
            calls = (getattr(client, one["operation"])(**one["params"], demo=True) for one in SAMPLES)
            return [answer.data for answer in await asyncio.gather(*calls)]

        self.assertEqual(asyncio.run(ask()), [sample["data"] for sample in SAMPLES])

    def test_pages_and_items_follow_each_other(self) -> None:
        first = Client().get_shortvideo_videos(username="mira.kettle", limit=2, demo=True)
        pages = list(first.paginate())
        self.assertGreater(len(pages), 1)
        self.assertTrue(all(isinstance(page, Page) and len(page.data) <= 2 for page in pages))
        self.assertIsNone(pages[-1].next_cursor)
        ids = [video["id"] for video in first.items()]
        self.assertEqual(ids, [video["id"] for page in pages for video in page.data])
        self.assertEqual(len(set(ids)), len(ids))

        async def walk() -> list[str]:
            page = await AsyncClient().get_shortvideo_videos(username="mira.kettle", limit=2, demo=True)
            return [video["id"] async for video in page.items()]

        self.assertEqual(asyncio.run(walk()), ids)

    def test_returns_sources_on_request(self) -> None:
        page = Client().get_shortvideo_videos(username="mira.kettle", limit=2, demo=True, sources=True)
        self.assertEqual(len(page.sources), len(page.data))
        for following in page.paginate():
            self.assertIsInstance(following, SourcedPage)
        plain = Client().get_shortvideo_videos(username="mira.kettle", limit=2, demo=True)
        self.assertFalse(hasattr(plain, "sources"))

    def test_a_batch_has_a_line_for_each_input_in_order(self) -> None:
        inputs = [{"username": name} for name in [*NAMES, "no such name"]]
        lines = list(Client().batch("shortvideo/profile", inputs, demo=True))
        self.assertEqual([line.input for line in lines], inputs)
        self.assertEqual([line.error is None for line in lines], [True] * len(NAMES) + [False])
        with self.assertRaises(public_extract.InvalidRequestError):
            lines[-1].result()

        async def ask() -> list[Any]:
            return [line async for line in AsyncClient().batch("shortvideo/profile", inputs, demo=True)]

        self.assertEqual([line.data for line in asyncio.run(ask())], [line.data for line in lines])

    def test_works_inside_a_running_event_loop(self) -> None:
        async def inside() -> str:
            return Client().get_shortvideo_profile(username="mira.kettle", demo=True).data["username"]

        self.assertEqual(asyncio.run(inside()), "mira.kettle")

    @unittest.skipUnless(find_spec("pandas"), "pandas is not installed")
    def test_converts_a_page_to_pandas(self) -> None:
        page = Client().get_shortvideo_videos(username="mira.kettle", demo=True, sources=True)
        table = page.to_dataframe("pandas")
        self.assertEqual(list(table["id"]), [video["id"] for video in page.data])
        self.assertEqual(str(table["view_count"].dtype), "Int64")
        for time in ("create_time", "fetched_at"):
            self.assertRegex(str(table[time].dtype), r"^datetime64\[\w+, UTC\]$")
        self.assertEqual(
            [time.isoformat() for time in table["create_time"]],
            [str(video["create_time"]).replace(".000Z", "+00:00") for video in page.data],
        )
        self.assertEqual(list(table.columns)[-6:], SOURCE_COLUMNS)
        self.assertEqual(list(table["position"]), list(range(1, len(page.data) + 1)))
        one = Client().get_shortvideo_profile(username="mira.kettle", demo=True).to_dataframe("pandas")
        self.assertEqual(one["follower_count"][0], TEST["samples"][13]["data"]["follower_count"])

    @unittest.skipUnless(find_spec("pandas"), "pandas is not installed")
    def test_keeps_unknown_times_and_other_texts(self) -> None:
        rows = [{"timestamp": None, "text": "2026-11-01T00:00:00Z", "at": "soon"}]
        table = to_dataframe(rows, "pandas")
        self.assertRegex(str(table["timestamp"].dtype), r"^datetime64\[\w+, UTC\]$")
        self.assertTrue(table["timestamp"].isna()[0])
        self.assertEqual([table["text"][0], table["at"][0]], ["2026-11-01T00:00:00Z", "soon"])

    @unittest.skipUnless(find_spec("polars"), "polars is not installed")
    def test_converts_a_page_to_polars(self) -> None:
        page = Client().get_shortvideo_videos(username="mira.kettle", demo=True, sources=True)
        table = page.to_dataframe("polars")
        self.assertEqual(table["id"].to_list(), [video["id"] for video in page.data])
        self.assertEqual(str(table["view_count"].dtype), "Int64")
        self.assertEqual(str(table["create_time"].dtype), "Datetime(time_unit='us', time_zone='UTC')")
        self.assertEqual(table.columns[-6:], SOURCE_COLUMNS)
        self.assertEqual(table["position"].to_list(), list(range(1, len(page.data) + 1)))
        self.assertEqual(to_dataframe([], "polars").shape, (0, 0))

    @unittest.skipUnless(find_spec("pyarrow"), "pyarrow is not installed")
    def test_converts_a_page_to_pyarrow(self) -> None:
        page = Client().get_shortvideo_videos(username="mira.kettle", demo=True, sources=True)
        table = page.to_dataframe("pyarrow")
        self.assertEqual(table["id"].to_pylist(), [video["id"] for video in page.data])
        self.assertEqual(str(table.schema.field("view_count").type), "int64")
        self.assertEqual(str(table.schema.field("create_time").type), "timestamp[us, tz=UTC]")
        self.assertEqual(table.column_names[-6:], SOURCE_COLUMNS)
        self.assertEqual(table["position"].to_pylist(), list(range(1, len(page.data) + 1)))


class Keyed(unittest.TestCase):
    def client(self) -> Client:
        return Client(TEST["url"] + "/v1/", TEST["apiKey"])

    def test_a_call_reads_the_page_and_is_charged(self) -> None:
        client = self.client()
        before = client.get_account()["credits_remaining"]
        answer = client.get_shortvideo_profile(username=NAMES[0])
        self.assertEqual(answer.data["username"], NAMES[0])
        self.assertEqual(before - client.get_account()["credits_remaining"], answer.meta["credits_charged"])
        self.assertEqual(client.list_usage(limit=1).data[0]["id"], answer.meta["request_id"])

    def test_runs_follows_and_downloads_a_job(self) -> None:
        client = self.client()
        inputs = [{"username": name} for name in [*NAMES, "no such name"]]
        job = client.submit("shortvideo/profile", inputs, name="Weekly", sources=True)
        followed = [line.input for line in client.results(job["id"])]
        seen: list[int] = []
        ended = client.wait(job["id"], lambda now: seen.append(now["completed"] + now["failed"]), poll=0.05)
        self.assertEqual((ended["status"], ended["completed"], ended["failed"]), ("done", len(NAMES), 1))
        self.assertEqual(seen[-1], len(inputs))
        self.assertEqual(followed, inputs)
        lines = list(client.results(job["id"], first=1))
        self.assertEqual([line.input for line in lines], inputs[1:])
        self.assertEqual([line.error.code for line in lines if line.error], ["invalid_parameter"])
        self.assertTrue(all(line.sources for line in lines if line.error is None))
        self.assertIn(job["id"], [one["id"] for one in client.list_jobs(limit=1).items()])
        with tempfile.TemporaryDirectory() as folder:
            client.download(job["id"], Path(folder, "profiles.csv"), "csv")
            self.assertIn(NAMES[0], Path(folder, "profiles.csv").read_text())
            with self.assertRaises(public_extract.NotFoundError):
                client.download("job_unknown", Path(folder, "none.csv"), "csv")
            self.assertEqual(os.listdir(folder), ["profiles.csv"])

        async def follow() -> list[Any]:
            async_client = AsyncClient(TEST["url"], TEST["apiKey"])
            return [line.input async for line in async_client.results(job["id"])]

        self.assertEqual(asyncio.run(follow()), inputs)

    def test_refuses_an_invalid_key(self) -> None:
        with self.assertRaises(public_extract.AuthenticationError) as raised:
            Client(TEST["url"], "xt_live_wrong").get_shortvideo_profile(username=NAMES[0])
        self.assertEqual(raised.exception.code, "invalid_api_key")
        self.assertTrue(raised.exception.docs.endswith("/docs/errors/invalid_api_key"))


class Webhooks(unittest.TestCase):
    def test_accepts_only_the_signature_of_the_service(self) -> None:
        given = TEST["webhook"]
        body, signature, secret, now = (given[name] for name in ("body", "signature", "secret", "now"))
        self.assertTrue(verify_webhook(body, signature, secret, now=now))
        self.assertTrue(verify_webhook(body.encode(), signature, secret, now=now + 300))
        for wrong in (
            (body + " ", signature, secret, now),
            (body, signature, secret + "x", now),
            (body, signature, secret, now + 301),
            (body, signature, secret, now - 301),
            (body, signature.replace("v1=", "v0="), secret, now),
            (body, signature.replace("t=", "t=1"), secret, now),
            (body, None, secret, now),
            (body, "", "", now),
            (body, "t=,v1=,,=", secret, now),
            ("\ud800", "t=1,v1=" + "é" * 64, secret, now),
        ):
            self.assertFalse(verify_webhook(wrong[0], wrong[1], wrong[2], now=wrong[3]))


if __name__ == "__main__":
    unittest.main()
