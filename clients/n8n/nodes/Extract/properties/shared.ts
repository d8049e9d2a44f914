// Written by `npm run generate` from the tables of endpoints and steps: change those, and not this file.
import type { INodeProperties } from 'n8n-workflow';

export const language: INodeProperties = {
	displayName: 'Language',
	name: 'language',
	routing: { send: { type: 'query', property: 'language', value: '={{ $value || undefined }}' } },
	type: 'string',
	default: '',
	description: 'Language of names, categories and hours',
};

export const fresh: INodeProperties = {
	displayName: 'Fresh',
	name: 'fresh',
	routing: { send: { type: 'query', property: 'fresh' } },
	type: 'boolean',
	default: false,
	description: 'Whether this is wanted: skip the cache and fetch now; charged as usual',
};

export const demo: INodeProperties = {
	displayName: 'Demo',
	name: 'demo',
	routing: { send: { type: 'query', property: 'demo' } },
	type: 'boolean',
	default: false,
	description: 'Whether this is wanted: return sample data: no network, no key, no charge',
};

export const sources: INodeProperties = {
	displayName: 'Sources',
	name: 'sources',
	routing: { send: { type: 'query', property: 'sources' } },
	type: 'boolean',
	default: false,
	description: 'Whether this is wanted: add to each item its ID, URL, author, position and time of reading',
};

export const pageSize: INodeProperties = {
	displayName: 'Page Size',
	name: 'pageSize',
	routing: { send: { type: 'query', property: 'limit' } },
	type: 'number',
	default: 20,
	description: 'Items per page: a whole number from 1 to 20',
};

export const pageSize2: INodeProperties = {
	displayName: 'Page Size',
	name: 'pageSize',
	routing: { send: { type: 'query', property: 'limit' } },
	type: 'number',
	default: 24,
	description: 'Items per page: a whole number from 1 to 24',
};

export const pageSize3: INodeProperties = {
	displayName: 'Page Size',
	name: 'pageSize',
	routing: { send: { type: 'query', property: 'limit' } },
	type: 'number',
	default: 50,
	description: 'Items per page: a whole number from 1 to 50',
};

export const pageSize4: INodeProperties = {
	displayName: 'Page Size',
	name: 'pageSize',
	routing: { send: { type: 'query', property: 'limit' } },
	type: 'number',
	default: 30,
	description: 'Items per page: a whole number from 1 to 30',
};
