PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    balance INTEGER NOT NULL CHECK (balance BETWEEN 0 AND 9007199254740991),
    bought INTEGER NOT NULL CHECK (bought IN (0, 1)),
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
INSERT INTO accounts VALUES('acct_01M81QZAQ8S5MMGSSM48BN3X6R',50494,1,1795355028200);
INSERT INTO accounts VALUES('local',49997,1,1795355028160);
CREATE TABLE grants (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    credits INTEGER NOT NULL CHECK (credits > 0),
    kind TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
INSERT INTO grants VALUES('local-first-pack','local',50000,'pack',1795355028160);
INSERT INTO grants VALUES('pack_01M81QZAQ82E36DJK34B63ZM0Z','acct_01M81QZAQ8S5MMGSSM48BN3X6R',50000,'pack',1795355028200);
INSERT INTO grants VALUES('trial_acct_01M81QZAQ8S5MMGSSM48BN3X6R','acct_01M81QZAQ8S5MMGSSM48BN3X6R',500,'trial',1795355028200);
CREATE TABLE parts (name TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO parts VALUES('accounts',2);
INSERT INTO parts VALUES('alerts',1);
INSERT INTO parts VALUES('jobs',3);
INSERT INTO parts VALUES('packs',1);
INSERT INTO parts VALUES('sign-in',1);
CREATE TABLE IF NOT EXISTS "usage" (
    id TEXT NOT NULL UNIQUE,
    account TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    charged_at INTEGER NOT NULL,
    endpoint TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'ok', 'failed')),
    error_code TEXT,
    credits_charged INTEGER NOT NULL CHECK (credits_charged >= 0),
    credits_refunded INTEGER NOT NULL DEFAULT 0 CHECK (credits_refunded >= 0),
    cached INTEGER NOT NULL DEFAULT 0 CHECK (cached IN (0, 1)),
    key_id TEXT,
    key_name TEXT,
    job_id TEXT,
    owner TEXT,
    PRIMARY KEY (account, created_at, id)
  ) STRICT, WITHOUT ROWID;
INSERT INTO usage VALUES('req_01M81QZF79E938VKN66GQ9DJB0','acct_01M81QZAQ8S5MMGSSM48BN3X6R',1795355032848,1795355032849,'shortvideo/profile','ok',NULL,3,0,1,'key_01M81QZBK5TWFVZ528ZHQK9MJW','laptop',NULL,NULL);
INSERT INTO usage VALUES('req_01M81QZF9NF2MCYX5T4GF8SXB6','acct_01M81QZAQ8S5MMGSSM48BN3X6R',1795355032886,1795355032886,'shortvideo/profile','failed','platform_unavailable',0,3,0,'key_01M81QZBK5TWFVZ528ZHQK9MJW','laptop',NULL,NULL);
INSERT INTO usage VALUES('job_01M81QZG27NV2MYEVR2BADR246:0','acct_01M81QZAQ8S5MMGSSM48BN3X6R',1795355033671,1795355033671,'shortvideo/profile','ok',NULL,3,0,1,'key_01M81QZBK5TWFVZ528ZHQK9MJW','laptop','job_01M81QZG27NV2MYEVR2BADR246',NULL);
INSERT INTO usage VALUES('job_01M81QZG27NV2MYEVR2BADR246:1','acct_01M81QZAQ8S5MMGSSM48BN3X6R',1795355033671,1795355033671,'shortvideo/profile','failed','platform_unavailable',0,3,0,'key_01M81QZBK5TWFVZ528ZHQK9MJW','laptop','job_01M81QZG27NV2MYEVR2BADR246',NULL);
INSERT INTO usage VALUES('req_01M81QZD52E2AVND0KPPZ8VJVV','local',1795355030835,1795355030840,'shortvideo/profile','ok',NULL,3,0,1,NULL,NULL,NULL,NULL);
CREATE TABLE holders (
      account TEXT PRIMARY KEY,
      email TEXT NOT NULL UNIQUE,
      verified_at INTEGER,
      created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
INSERT INTO holders VALUES('acct_01M81QZAQ8S5MMGSSM48BN3X6R','ann@example.com',1795355028200,1795355028200);
CREATE TABLE api_keys (
      id TEXT PRIMARY KEY,
      account TEXT NOT NULL REFERENCES holders (account),
      name TEXT NOT NULL,
      digest BLOB NOT NULL UNIQUE,
      platforms TEXT,
      created_at INTEGER NOT NULL,
      revoked_at INTEGER
    ) STRICT, WITHOUT ROWID;
INSERT INTO api_keys VALUES('key_01M81QZBK5TWFVZ528ZHQK9MJW','acct_01M81QZAQ8S5MMGSSM48BN3X6R','laptop',X'54147ca847b92d0868a79d70770c8c1c8d270e05a332b0dfb46f72aaf45f46c6',NULL,1795355029093,NULL);
CREATE TABLE access (version INTEGER NOT NULL) STRICT;
INSERT INTO access VALUES(1);
CREATE TABLE former_addresses (digest BLOB PRIMARY KEY, deleted_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE jobs (
      id TEXT PRIMARY KEY,
      account TEXT NOT NULL,
      key_id TEXT,
      key_name TEXT,
      endpoint TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'done', 'cancelled')),
      credits INTEGER NOT NULL,
      total INTEGER NOT NULL,
      completed INTEGER NOT NULL DEFAULT 0,
      failed INTEGER NOT NULL DEFAULT 0,
      credits_refunded INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL,
      finished_at INTEGER,
      lines INTEGER NOT NULL DEFAULT 0,
      bytes INTEGER NOT NULL DEFAULT 0,
      late_bytes INTEGER NOT NULL DEFAULT 0,
      deleted INTEGER NOT NULL DEFAULT 0,
      webhook_url TEXT,
      webhook_state TEXT CHECK (webhook_state IN ('pending', 'delivered', 'failed')),
      webhook_id TEXT,
      webhook_tries INTEGER NOT NULL DEFAULT 0,
      webhook_due INTEGER,
      CHECK (completed + failed <= total),
      CHECK (lines <= completed + failed),
      CHECK (status <> 'done' OR lines = total)
    ) STRICT, WITHOUT ROWID;
INSERT INTO jobs VALUES('job_01M81QZG27NV2MYEVR2BADR246','acct_01M81QZAQ8S5MMGSSM48BN3X6R','key_01M81QZBK5TWFVZ528ZHQK9MJW','laptop','shortvideo/profile','done',3,2,1,1,3,1795355033671,1795355034673,2,775,0,0,NULL,NULL,NULL,0,NULL);
CREATE TABLE job_inputs (
      job TEXT NOT NULL,
      place INTEGER NOT NULL,
      input TEXT NOT NULL,
      PRIMARY KEY (job, place)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE job_requests (
      account TEXT NOT NULL,
      key TEXT NOT NULL,
      digest TEXT NOT NULL,
      job TEXT NOT NULL,
      answer TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      PRIMARY KEY (account, key)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE webhook_attempts (
      job TEXT NOT NULL,
      number INTEGER NOT NULL,
      at INTEGER NOT NULL,
      status INTEGER,
      error TEXT,
      PRIMARY KEY (job, number)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE webhook_secrets (
      account TEXT NOT NULL,
      number INTEGER NOT NULL,
      secret TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      ends_at INTEGER, shown INTEGER NOT NULL DEFAULT 1 CHECK (shown IN (0, 1)),
      PRIMARY KEY (account, number)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE sign_in_links (
      digest BLOB PRIMARY KEY,
      browser BLOB NOT NULL,
      email TEXT NOT NULL,
      next TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE TABLE sign_in_mails (
      whom BLOB NOT NULL,
      at INTEGER NOT NULL,
      number INTEGER NOT NULL,
      PRIMARY KEY (whom, at, number)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE sessions (
      digest BLOB PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      account TEXT NOT NULL REFERENCES holders (account) ON DELETE CASCADE,
      browser TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      last_used_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE TABLE admin_links (digest BLOB PRIMARY KEY, created_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO admin_links VALUES(X'9423446f730ddcae9f8e9d5e21ed6a979c5cee9b320e28e3d3d7646b9d44b9e7',1795355032520);
CREATE TABLE admin_sessions (digest BLOB PRIMARY KEY, created_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE purchases (
      id TEXT PRIMARY KEY,
      account TEXT NOT NULL,
      credits INTEGER NOT NULL CHECK (credits > 0),
      amount INTEGER CHECK (amount > 0),
      currency TEXT NOT NULL,
      method TEXT NOT NULL CHECK (method IN ('hand', 'stripe')),
      status TEXT NOT NULL CHECK (status IN ('open', 'paid', 'cancelled')),
      created_at INTEGER NOT NULL,
      submitted_at INTEGER,
      paid_at INTEGER,
      CHECK ((status = 'paid') = (paid_at IS NOT NULL))
    ) STRICT, WITHOUT ROWID;
CREATE TABLE alerts (
      account TEXT PRIMARY KEY REFERENCES holders (account) ON DELETE CASCADE,
      threshold INTEGER NOT NULL CHECK (threshold > 0),
      sent_at INTEGER,
      due_at INTEGER NOT NULL DEFAULT 0,
      tries INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
CREATE INDEX grants_of_account ON grants (account, created_at, id);
CREATE INDEX usage_of_job ON usage (job_id, created_at, id) WHERE job_id IS NOT NULL;
CREATE INDEX usage_pending ON usage (charged_at) WHERE status = 'pending';
CREATE INDEX api_keys_of_account ON api_keys (account, id);
CREATE TRIGGER holder_changed AFTER UPDATE ON holders BEGIN UPDATE access SET version = version + 1; END;
CREATE TRIGGER holder_gone AFTER DELETE ON holders BEGIN UPDATE access SET version = version + 1; END;
CREATE TRIGGER key_changed AFTER UPDATE ON api_keys BEGIN UPDATE access SET version = version + 1; END;
CREATE TRIGGER key_gone AFTER DELETE ON api_keys BEGIN UPDATE access SET version = version + 1; END;
CREATE INDEX jobs_of_account ON jobs (account, id);
CREATE INDEX jobs_unfinished ON jobs (id) WHERE lines < total;
CREATE INDEX jobs_to_delete ON jobs (finished_at) WHERE deleted = 0;
CREATE INDEX jobs_to_tell ON jobs (webhook_due) WHERE webhook_due IS NOT NULL;
CREATE INDEX job_requests_by_time ON job_requests (created_at);
CREATE TRIGGER job_secrets_of_nobody AFTER DELETE ON holders BEGIN
      DELETE FROM webhook_secrets WHERE account = OLD.account;
      DELETE FROM job_requests WHERE account = OLD.account;
    END;
CREATE INDEX sign_in_links_by_time ON sign_in_links (created_at);
CREATE TRIGGER links_of_nobody AFTER DELETE ON holders BEGIN
      DELETE FROM sign_in_links WHERE email = OLD.email;
    END;
CREATE INDEX sign_in_mails_by_time ON sign_in_mails (at);
CREATE INDEX sessions_of_account ON sessions (account, last_used_at);
CREATE INDEX sessions_by_use ON sessions (last_used_at);
CREATE INDEX purchases_of_account ON purchases (account, created_at, id);
CREATE TRIGGER orders_of_nobody AFTER DELETE ON holders BEGIN
      UPDATE purchases SET status = 'cancelled' WHERE account = OLD.account AND status = 'open';
    END;
COMMIT;
PRAGMA user_version = 5;
