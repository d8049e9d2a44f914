import * as z from 'zod';
import type { Setting } from '../../lib/config.js';
import { type Environment, readText, splitList } from '../../lib/config-values.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { amountOf, isCurrency } from './currency.js';

/** Settings of what a hosted server does for people: mail, sign-in, packs and payment. */
export const hostingSettings: readonly Setting[] = [
  {
    name: 'EXTRACT_SMTP_URL',
    default: '',
    text: 'Mail server, such as smtps://user:password@mail.example.com:465 or smtp://…:587. Without one, mails are kept as files in the data directory, and sign-in links are written to the log.',
  },
  {
    name: 'EXTRACT_MAIL_FROM',
    default: '',
    text: 'Sender of mails, such as “Extract <no-reply@example.com>”; required with EXTRACT_SMTP_URL.',
  },
  {
    name: 'EXTRACT_OPERATOR_EMAIL',
    default: '',
    text: 'Address of the operator, who gets one mail when a field is missing from answers that usually have it.',
  },
  {
    name: 'EXTRACT_EMAIL_ALLOW',
    default: '',
    text: 'Mail domains that are allowed to sign in although they are listed as disposable, separated by commas.',
  },
  {
    name: 'EXTRACT_PACK_PRICES',
    default: '',
    text: 'Prices of the packs of credits, such as 50000=49.00,250000=199.00,1000000=599.00,5000000=1999.00.',
  },
  { name: 'EXTRACT_CURRENCY', default: 'EUR', text: 'Currency of those prices.' },
  {
    name: 'EXTRACT_PAYMENT_TEXT',
    default: '',
    text: 'How to pay for a pack without Stripe, as shown to buyers; `extract accounts credit` confirms the payment.',
  },
  {
    name: 'EXTRACT_SELLER',
    default: '',
    text: 'Seller on receipts: name, address and tax number, separated by semicolons.',
  },
  { name: 'EXTRACT_STRIPE_KEY', default: '', text: 'Secret key of Stripe, if it takes the payments.' },
  {
    name: 'EXTRACT_STRIPE_WEBHOOK_SECRET',
    default: '',
    text: 'Signing secret (whsec_…) of the Stripe webhook that sends the checkout.session events.',
  },
];

/** The server that sends the mails. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte on; otherwise by STARTTLS. */
  readonly secure: boolean;
  readonly login: { readonly user: string; readonly password: string } | undefined;
}

interface MailSender {
  readonly name: string;
  readonly address: string;
}

/** How a hosted server deals with people: mail, sign-in, packs and payment. */
export interface HostingConfig {
  /** None where mails are kept as files. */
  readonly mail: { readonly server: SmtpServer; readonly from: MailSender } | undefined;
  /** Who gets a mail when a field is missing from answers; nobody when left out. */
  readonly operatorEmail: string | undefined;
  /** Domains that may sign in although they are listed as disposable. */
  readonly emailAllow: readonly string[];
  /** Packs that have a price. */
  readonly packPrices: readonly PackPrice[];
  /** ISO 4217, in capitals. */
  readonly currency: string;
  /** How to pay by hand, in the operator's words. */
  readonly paymentText: string | undefined;
  /** Who sells, as receipts say it, in lines. */
  readonly seller: string | undefined;
  /** None where payments are confirmed by hand. */
  readonly stripe: { readonly key: string; readonly webhookSecret: string } | undefined;
}

interface PackPrice {
  readonly credits: number;
  /** As the setting has it: `49.00`. */
  readonly price: string;
  /** In the currency's smallest unit. */
  readonly amount: number;
}

/** Credits that are sold at once. */
export const packSizes = [50_000, 250_000, 1_000_000, 5_000_000] as const;

const invalid = (message: string) => new ExtractError('invalid_parameter', message);

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The setting is not repeated in the error: it holds a password. */
function smtpServer(text: string): SmtpServer {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const plain = url !== undefined && /^\/?$/.test(url.pathname) && url.search === '' && url.hash === '';
  if (!plain || !/^smtps?:$/.test(url.protocol) || url.hostname === '') {
    throw invalid('The setting EXTRACT_SMTP_URL must be like smtps://user:password@mail.example.com:465.');
  }
  const secure = url.protocol === 'smtps:';
  const login =
    url.username === '' ? undefined : { user: decodeText(url.username), password: decodeText(url.password) };
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return { host, port: url.port === '' ? (secure ? 465 : 587) : Number(url.port), secure, login };
}

function mailSender(text: string | undefined): MailSender {
  const [, name = '', bracketed] = /^([^<>\p{Cc}]*)<([^<>]*)>$/u.exec(text ?? '') ?? [];
  const address = z.email().safeParse(bracketed ?? text);
  if (!address.success) {
    throw invalid('The setting EXTRACT_MAIL_FROM must be like “Extract <no-reply@example.com>”.');
  }
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address: address.data };
}

function operatorEmail(text: string | undefined): string | undefined {
  if (text === undefined || z.email().safeParse(text).success) return text;
  throw invalid('The setting EXTRACT_OPERATOR_EMAIL must be an e-mail address.');
}

function currencyOf(text: string): string {
  const currency = text.toUpperCase();
  if (isCurrency(currency)) return currency;
  throw invalid('The setting EXTRACT_CURRENCY must be a currency of ISO 4217, such as EUR.');
}

function packPrice(text: string, currency: string): PackPrice {
  const [, pack, price = ''] = /^(\d+) *= *(\S+)$/.exec(text) ?? [];
  const credits = packSizes.find((size) => String(size) === pack);
  const amount = amountOf(price, currency);
  if (credits === undefined || amount === null || amount === 0) {
    throw invalid(
      `The setting EXTRACT_PACK_PRICES must be like 50000=49.00,250000=199.00, for packs of ${packSizes.join(', ')}; ${JSON.stringify(text.slice(0, 80))} is not a price in ${currency}.`,
    );
  }
  return { credits, price, amount };
}

function packPrices(parts: readonly string[], currency: string): readonly PackPrice[] {
  const prices = parts.map((part) => packPrice(part, currency)).sort((a, b) => a.credits - b.credits);
  if (new Set(prices.map(({ credits }) => credits)).size === prices.length) return prices;
  throw invalid('The setting EXTRACT_PACK_PRICES names a pack twice.');
}

function stripeOf(key: string | undefined, webhookSecret: string | undefined): HostingConfig['stripe'] {
  if (key === undefined && webhookSecret === undefined) return undefined;
  if (key !== undefined && webhookSecret !== undefined) return { key, webhookSecret };
  throw invalid('The settings EXTRACT_STRIPE_KEY and EXTRACT_STRIPE_WEBHOOK_SECRET belong together.');
}

/** Reads the settings of what a hosted server does for people. Throws `invalid_parameter`. */
export function readHostingConfig(env: Environment = process.env): HostingConfig {
  const smtp = readText(env, 'EXTRACT_SMTP_URL');
  const currency = currencyOf(readText(env, 'EXTRACT_CURRENCY') ?? 'EUR');
  return {
    mail:
      smtp === undefined
        ? undefined
        : { server: smtpServer(smtp), from: mailSender(readText(env, 'EXTRACT_MAIL_FROM')) },
    operatorEmail: operatorEmail(readText(env, 'EXTRACT_OPERATOR_EMAIL')),
    emailAllow: splitList(readText(env, 'EXTRACT_EMAIL_ALLOW')).map((domain) => domain.toLowerCase()),
    packPrices: packPrices(splitList(readText(env, 'EXTRACT_PACK_PRICES')), currency),
    currency,
    paymentText: readText(env, 'EXTRACT_PAYMENT_TEXT'),
    seller: readText(env, 'EXTRACT_SELLER')?.replaceAll(/ *; */g, '\n'),
    stripe: stripeOf(readText(env, 'EXTRACT_STRIPE_KEY'), readText(env, 'EXTRACT_STRIPE_WEBHOOK_SECRET')),
  };
}
