import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Cron } from 'croner';
import { XmlDocument } from 'libxml2-wasm';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { onceArguments, readCrontab, systemScheduler } from '../../../src/faces/cli/watch/install.js';
import { cronFields, launchdTimes, systemdTimes } from '../../../src/files/watch/install/calendar.js';
import {
  cronLine,
  environmentText,
  launchdFile,
  systemdFiles,
} from '../../../src/files/watch/install/install-texts.js';
import { parseTimetable, timesOf } from '../../../src/service/schedule/timetable.js';
import { argv } from '../../support/argv.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const times = (text: string) => timesOf(parseTimetable(text));

test('days and times are the same to cron, systemd and launchd', () => {
  assert.equal(cronFields(times('monday 08:00')), '0 8 * * 1');
  assert.deepEqual(systemdTimes(times('monday 08:00')), ['OnCalendar=Mon *-*-* 08:00:00']);
  assert.deepEqual(launchdTimes(times('monday 08:00')), { moments: [{ Weekday: 1, Hour: 8, Minute: 0 }] });
  assert.deepEqual(systemdTimes(times('weekdays 07:30')), ['OnCalendar=Mon,Tue,Wed,Thu,Fri *-*-* 07:30:00']);
  assert.deepEqual(systemdTimes(times('*/15 6-8 1 jan *')), ['OnCalendar=*-01-01 06,07,08:00,15,30,45:00']);
  // Cron runs on the first of the month and on Sundays.
  assert.deepEqual(
    systemdTimes(times('0 6 1 * 7')),
    ['*-*-01', 'Sun *-*-*'].map((day) => `OnCalendar=${day} 06:00:00`),
  );
});

test('days by their names, up to a Sunday too, are the same to all three', () => {
  for (const text of ['0 6 * * SAT-SUN', '0 6 * * sun,sat', '0 6 ? * 6-7']) {
    assert.deepEqual(systemdTimes(times(text)), ['OnCalendar=Sun,Sat *-*-* 06:00:00'], text);
    const moments = [0, 6].map((Weekday) => ({ Weekday, Hour: 6, Minute: 0 }));
    assert.deepEqual(launchdTimes(times(text)), { moments }, text);
  }
  // Not every cron takes ranges of names, and none a week that ends with day 0.
  assert.equal(cronFields(times('0 6 ? jan-mar fri-sun')), '0 6 * 1-3 5-7');
  assert.equal(cronFields(times('@daily')), '@daily');
  for (const text of ['0 6 L * *', '0 6 * * MON#1'])
    assert.throws(() => cronFields(times(text)), /does not support/);
});

test('intervals are converted for systemd and launchd, and for cron if it supports them', () => {
  assert.deepEqual(systemdTimes(times('90m')), ['OnActiveSec=1min', 'OnUnitActiveSec=5400s']);
  assert.deepEqual(launchdTimes(times('6h')), { seconds: 21_600 });
  for (const [text, minutes] of [
    ['15m', 15],
    ['6h', 360],
    ['1d', 1440],
    ['1w', 10_080],
    ['1h', 60],
  ] as const) {
    const [first, second] = new Cron(cronFields(times(text)), { mode: '5-part', utcOffset: 0 }).nextRuns(2);
    assert.equal(Number(second) - Number(first), minutes * 60_000, text);
  }
  assert.throws(() => cronFields(times('90m')), /intervals that divide an hour or a day/);
  assert.throws(() => launchdTimes(times('*/2 0-12 * * *')), /too many start times/);
});

const run = {
  ...{ name: 'extract-watch-x', times: times('6h'), folder: '/home/a b' },
  command: argv`/bin/node /x/extract.js watch maps/places a%b.txt --when ${'name == "$x" && a < 1'}`,
  environment: { EXTRACT_HOME: '/home/a b/.extract', EXTRACT_MEDIA: '$5%' },
  environmentFile: null,
};

test('each scheduler reads the words as they were typed', () => {
  assert.equal(
    cronLine(run),
    `0 */6 * * * cd '/home/a b' && EXTRACT_HOME='/home/a b/.extract' EXTRACT_MEDIA='$5\\%' /bin/node /x/extract.js watch maps/places a\\%b.txt --when 'name == "$x" && a < 1' # extract-watch-x`,
  );
  const [service, timer] = systemdFiles(run);
  assert.match(service?.text ?? '', /^WorkingDirectory=\/home\/a b$/m);
  assert.match(service?.text ?? '', /^Environment="EXTRACT_HOME=\/home\/a b\/\.extract"$/m);
  // systemd expands variables in the words of a command alone.
  assert.match(service?.text ?? '', /^Environment=EXTRACT_MEDIA=\$5%%$/m);
  assert.match(service?.text ?? '', /a%%b\.txt --when "name == \\"\$\$x\\" && a < 1"$/m);
  assert.match(timer?.text ?? '', /^Persistent=true$/m);
  const { text } = launchdFile(run);
  XmlDocument.fromString(text.replace(/<!DOCTYPE.*>\n/, '')).dispose();
  assert.match(text, /<string>name == "\$x" &amp;&amp; a &lt; 1<\/string>/);
});

test('a crontab that cannot be read is not taken for an empty one', async () => {
  const failing = (words: string) => async () => {
    throw new ExtractError('invalid_parameter', `crontab -l failed: ${words}`);
  };
  for (const words of ['no crontab for ann', "crontab: can't open 'ann': No such file or directory"])
    assert.equal(await readCrontab(failing(words)), '');
  for (const words of ['stdout maxBuffer length exceeded', 'cannot read /var/spool/cron: Input/output error'])
    await assert.rejects(readCrontab(failing(words)), /failed/);
});

test('the installed command is the watch, run once and quietly', () => {
  const typed = argv`watch maps/places in.txt --every 6h --install cron --write -o x.ndjson -q`;
  const once = argv`watch maps/places in.txt -o x.ndjson --once --quiet`;
  assert.deepEqual(onceArguments(typed), once);
  assert.deepEqual(onceArguments(argv`watch maps/places in.txt --every=6h --install -o x.ndjson`), once);
  const linux = [systemScheduler('linux', true), systemScheduler('linux', false, true)];
  assert.deepEqual(
    [...linux, systemScheduler('darwin'), systemScheduler('win32')],
    ['systemd', 'cron', 'launchd', null],
  );
});

test('a file of settings gives a shell the values as they are, and each scheduler reads it', () => {
  const values = { EXTRACT_A: `it's "$HOME" \`date\` \\ 5%`, HTTPS_PROXY: 'http://127.0.0.1:8080' };
  const file = path.join(folder, "the user's settings.env");
  writeFileSync(file, environmentText(values));
  const printed = execFileSync('sh', ['-c', 'set -a && . "$0" && env', file], { env: {}, encoding: 'utf8' });
  for (const [name, value] of Object.entries(values))
    assert.ok(printed.includes(`${name}=${value}\n`), printed);
  const withFile = { ...run, environmentFile: file };
  assert.match(cronLine(withFile), / && set -a && \. '\/.*settings\.env' && EXTRACT_HOME=/);
  const [service] = systemdFiles(withFile);
  assert.match(service?.text ?? '', /^EnvironmentFile=\/.*settings\.env$/m);
  const command = '<string>set -a &amp;&amp; . "$0" &amp;&amp; exec "$@"</string>';
  assert.ok(launchdFile(withFile).text.includes(command));
});
