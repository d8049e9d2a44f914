import { type Environment, readText } from '../../lib/config-values.js';
import { databasePassword } from './database-url.js';

const secretSettings = [
  'EXTRACT_API_KEY',
  'EXTRACT_WEBHOOK_SECRET',
  'EXTRACT_METRICS_TOKEN',
  'EXTRACT_STRIPE_KEY',
  'EXTRACT_STRIPE_WEBHOOK_SECRET',
];
/** Addresses that may carry a name and password. */
const addressSettings = [
  'EXTRACT_SMTP_URL',
  'EXTRACT_BASE_URL',
  'EXTRACT_CACHE_URL',
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'https_proxy',
  'http_proxy',
];

function credentialsOf(address: string): string[] {
  const text = address.includes('://') ? address : `http://${address}`;
  if (!URL.canParse(text)) return [address];
  const { username, password } = new URL(text);
  return [username, password].flatMap((part) => {
    try {
      return [part, decodeURIComponent(part)];
    } catch {
      return [part];
    }
  });
}

/** Every secret that the settings hold, so that a text can be searched for them. */
export function secretValues(env: Environment = process.env): readonly string[] {
  const secrets = secretSettings.map((name) => readText(env, name) ?? '');
  const credentials = addressSettings.flatMap((name) => {
    const address = readText(env, name);
    return address === undefined ? [] : credentialsOf(address);
  });
  const database = databasePassword(readText(env, 'EXTRACT_DATABASE_URL') ?? '') ?? '';
  // What is shorter would be found everywhere.
  return [...new Set([...secrets, ...credentials, database])].filter((secret) => secret.length >= 4);
}
