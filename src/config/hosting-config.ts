import * as z from 'zod';
import * as kind from '../../lib/config-kinds.js';
import {
  type Environment,
  type Kind,
  optional,
  readSettings,
  readText,
  setting,
  type ValuesOf,
} from '../../lib/config-values.js';
import { invalidParameter } from '../../lib/errors/extract-error.js';
import { type DeliveryBucket, readDeliveryBucket } from './bucket-config.js';
import { amountOf, isCurrency } from './currency.js';

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise STARTTLS. */
  readonly secure: boolean;
  readonly login: { readonly user: string; readonly password: string } | undefined;
}

interface MailSender {
  readonly name: string;
  readonly address: string;
}

interface PackPrice {
  readonly credits: number;
  /** As in the setting: `49.00`. */
  readonly price: string;
  /** In the currency's smallest unit. */
  readonly amount: number;
}

export const packSizes = [50_000, 250_000, 1_000_000, 5_000_000] as const;

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const smtpServer: Kind<SmtpServer> = {
  ...kind.credentials,
  show: ({ host, port, secure, login }) =>
    `${secure ? 'smtps' : 'smtp'}://${login === undefined ? '' : '***@'}${host}:${port}`,
  parse(text) {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const plain = url !== undefined && /^\/?$/.test(url.pathname) && url.search === '' && url.hash === '';
    if (!plain || !/^smtps?:$/.test(url.protocol) || url.hostname === '') {
      throw invalidParameter(
        'The setting EXTRACT_SMTP_URL must be like smtps://user:password@mail.example.com:465.',
      );
    }
    const secure = url.protocol === 'smtps:';
    const login =
      url.username === ''
        ? undefined
        : { user: decodeText(url.username), password: decodeText(url.password) };
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    return { host, port: url.port === '' ? (secure ? 465 : 587) : Number(url.port), secure, login };
  },
};

/** Has an effect only with a mail server, and is then required. */
const mailSender: Kind<MailSender | undefined> = {
  isPersonal: true,
  show: ({ name, address }) => `${name} <${address}>`.trim(),
  parse(text, name, env) {
    if (readText(env, 'EXTRACT_SMTP_URL') === undefined) return undefined;
    const [, person = '', bracketed] = /^([^<>\p{Cc}]*)<([^<>]*)>$/u.exec(text) ?? [];
    const parsed = z.email().safeParse(bracketed ?? text);
    if (!parsed.success)
      throw invalidParameter(`The setting ${name} must be like “Extract <no-reply@example.com>”.`);
    return { name: person.trim().replace(/^"(.*)"$/, '$1'), address: parsed.data };
  },
};

const email: Kind<string> = {
  parse(text, name) {
    if (z.email().safeParse(text).success) return text;
    throw invalidParameter(`The setting ${name} must be an e-mail address.`);
  },
};

const currencyCode: Kind<string> = {
  parse(text, name) {
    const code = text.toUpperCase();
    if (isCurrency(code)) return code;
    throw invalidParameter(`The setting ${name} must be a currency of ISO 4217, such as EUR.`);
  },
};

const currency = setting('EXTRACT_CURRENCY', currencyCode, 'EUR', 'Currency of those prices.');

function packPrice(text: string, currency: string): PackPrice {
  const [, pack, price = ''] = /^(\d+) *= *(\S+)$/.exec(text) ?? [];
  const credits = packSizes.find((size) => String(size) === pack);
  const amount = amountOf(price, currency);
  if (credits === undefined || amount === null || amount === 0) {
    throw invalidParameter(
      `The setting EXTRACT_PACK_PRICES must be like 50000=49.00,250000=199.00, for packs of ${packSizes.join(', ')}; ${JSON.stringify(text.slice(0, 80))} is not a price in ${currency}.`,
    );
  }
  return { credits, price, amount };
}

const packPrices: Kind<readonly PackPrice[]> = {
  show: (prices) => prices.map(({ credits, price }) => `${credits}=${price}`).join(',') || null,
  parse(text, name, env) {
    const code = currency.read(env);
    const prices = kind
      .splitList(text)
      .map((part) => packPrice(part, code))
      .sort((a, b) => a.credits - b.credits);
    if (new Set(prices.map(({ credits }) => credits)).size === prices.length) return prices;
    throw invalidParameter(`The setting ${name} names a pack twice.`);
  },
};

const domains: Kind<readonly string[]> = {
  ...kind.list,
  parse: (text) => kind.splitList(text.toLowerCase()),
};

/** The seller, as lines separated by semicolons. */
const sellerLines: Kind<string> = {
  isPersonal: true,
  parse: (text) => text.replaceAll(/(?<! ) *; */g, '\n'),
  show: (text) => text.replaceAll('\n', '; '),
};

const stripeNames = ['EXTRACT_STRIPE_KEY', 'EXTRACT_STRIPE_WEBHOOK_SECRET'] as const;

const stripeSecret: Kind<string> = {
  ...kind.secret,
  parse(text, _, env) {
    if (stripeNames.every((name) => readText(env, name) !== undefined)) return text;
    throw invalidParameter(`The settings ${stripeNames.join(' and ')} must be set together.`);
  },
};

/** Services for people: mail, sign-in, packs and payment. */
export const hostingSettings = {
  smtp: optional(
    'EXTRACT_SMTP_URL',
    smtpServer,
    'Mail server, such as smtps://user:password@mail.example.com:465 or smtp://…:587. Without one, e-mails are stored as files in the data directory, and sign-in links are logged.',
  ),
  mailFrom: setting(
    'EXTRACT_MAIL_FROM',
    mailSender,
    '',
    'Sender of e-mails, such as “Extract <no-reply@example.com>”; required with EXTRACT_SMTP_URL.',
  ),
  operatorEmail: optional(
    'EXTRACT_OPERATOR_EMAIL',
    email,
    'Address of the operator, who gets one e-mail when an endpoint starts failing, and when a field is missing from answers that usually have it.',
  ),
  emailAllow: setting(
    'EXTRACT_EMAIL_ALLOW',
    domains,
    '',
    'Disposable e-mail domains that may sign in anyway, separated by commas.',
  ),
  packPrices: setting(
    'EXTRACT_PACK_PRICES',
    packPrices,
    '',
    'Prices of the packs of credits, such as 50000=49.00,250000=199.00,1000000=599.00,5000000=1999.00.',
  ),
  currency,
  paymentText: optional(
    'EXTRACT_PAYMENT_TEXT',
    { ...kind.text, isPersonal: true },
    'How to pay for a pack without Stripe, as shown to buyers; `extract server accounts credit` confirms the payment.',
  ),
  seller: optional(
    'EXTRACT_SELLER',
    sellerLines,
    'Seller on receipts: name, address and tax number, separated by semicolons.',
  ),
  stripeKey: optional('EXTRACT_STRIPE_KEY', stripeSecret, 'Secret key of Stripe, for payments.'),
  stripeWebhookSecret: optional(
    'EXTRACT_STRIPE_WEBHOOK_SECRET',
    stripeSecret,
    'Signing secret (whsec_…) of the Stripe webhook that sends the checkout.session events.',
  ),
} as const;

type Values = ValuesOf<typeof hostingSettings>;

export interface HostingConfig
  extends Omit<Values, 'smtp' | 'mailFrom' | 'stripeKey' | 'stripeWebhookSecret'> {
  /** Undefined if mail is written to files. */
  readonly mail: { readonly server: SmtpServer; readonly from: MailSender } | undefined;
  /** Null if accounts may not have results written to a bucket. */
  readonly bucket: DeliveryBucket | null;
  /** Undefined if payments are confirmed by hand. */
  readonly stripe: { readonly key: string; readonly webhookSecret: string } | undefined;
}

/** Reads the settings of the services for people. Throws `invalid_parameter`. */
export function readHostingConfig(env: Environment = process.env): HostingConfig {
  const { smtp, mailFrom, stripeKey, stripeWebhookSecret, ...rest } = readSettings(hostingSettings, env);
  return {
    ...rest,
    bucket: readDeliveryBucket(env),
    mail: smtp && mailFrom && { server: smtp, from: mailFrom },
    stripe:
      stripeKey && stripeWebhookSecret ? { key: stripeKey, webhookSecret: stripeWebhookSecret } : undefined,
  };
}
