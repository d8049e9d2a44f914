import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import { argv } from './argv.js';

export interface Authority {
  /** File with the certificate that clients must trust. */
  readonly file: string;
  /** Key and certificate for host names and addresses, signed by the authority. */
  issue(...names: string[]): { readonly key: string; readonly cert: string };
}

/** A certificate authority for one test run, created by openssl in the test's directory. */
export function authority(dir: string): Authority {
  const openssl = (args: readonly string[]) => execFileSync('openssl', args, { cwd: dir, stdio: 'pipe' });
  const read = (file: string) => readFileSync(path.join(dir, file), 'utf8');
  const newKey = argv`-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes`;
  openssl(argv`req -x509 ${newKey} -subj ${'/CN=test authority'} -keyout ca.key -out ca.pem`);
  let issued = 0;
  return {
    file: path.join(dir, 'ca.pem'),
    issue(...names) {
      issued += 1;
      const leaf = `leaf${issued}`;
      const subjects = names.map((name) => `${isIP(name) === 0 ? 'DNS' : 'IP'}:${name}`).join(',');
      const alternatives = `subjectAltName=${subjects}`;
      openssl(
        argv`req ${newKey} -subj /CN=leaf -addext ${alternatives} -keyout ${leaf}.key -out ${leaf}.csr`,
      );
      const signed = argv`-CA ca.pem -CAkey ca.key -CAcreateserial -copy_extensions copy`;
      openssl(argv`x509 -req -in ${leaf}.csr ${signed} -out ${leaf}.pem`);
      return { key: read(`${leaf}.key`), cert: read(`${leaf}.pem`) };
    },
  };
}
