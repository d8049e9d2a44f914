import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';

export interface Authority {
  /** File with the certificate that clients must trust. */
  readonly file: string;
  /** Key and certificate for host names and addresses, signed by the authority. */
  issue(...names: string[]): { readonly key: string; readonly cert: string };
}

/** A certificate authority for one test run, made by openssl in a directory of the test's. */
export function authority(dir: string): Authority {
  const at = (name: string) => path.join(dir, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-subj',
    '/CN=test authority',
    '-keyout',
    at('ca.key'),
    '-out',
    at('ca.pem'),
  );
  let issued = 0;
  return {
    file: at('ca.pem'),
    issue(...names) {
      issued += 1;
      const [key, request, cert] = ['key', 'csr', 'pem'].map((ending) => at(`leaf${issued}.${ending}`)) as [
        string,
        string,
        string,
      ];
      const alternatives = `subjectAltName=${names.map((name) => `${isIP(name) === 0 ? 'DNS' : 'IP'}:${name}`).join(',')}`;
      openssl(
        'req',
        ...newKey,
        '-subj',
        '/CN=leaf',
        '-addext',
        alternatives,
        '-keyout',
        key,
        '-out',
        request,
      );
      const signed = [
        '-CA',
        at('ca.pem'),
        '-CAkey',
        at('ca.key'),
        '-CAcreateserial',
        '-copy_extensions',
        'copy',
      ];
      openssl('x509', '-req', '-in', request, ...signed, '-out', cert);
      return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
    },
  };
}
