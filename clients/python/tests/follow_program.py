"""Creates a job and prints the name in each line as it arrives, through restarts of the server."""

import sys

from public_extract import Client

client = Client()
job = client.submit("shortvideo/profile", [{"username": name} for name in sys.argv[1:]])
for line in client.results(job["id"]):
    print(line.result()["username"], flush=True)
