import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

import { properties } from './properties';

/** Public pages as data, from an extract server. Declarative: n8n itself sends each request that a field describes. */
export class Extract implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Extract',
		name: 'extract',
		icon: 'file:extract.svg',
		group: ['input'],
		version: 1,
		subtitle: '={{$parameter["resource"] + "/" + $parameter["operation"]}}',
		description: 'Get public TikTok, Instagram, LinkedIn and Google Maps pages as data',
		defaults: { name: 'Extract' },
		usableAsTool: true,
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'extractApi', required: true }],
		requestDefaults: {
			baseURL: '={{$credentials.baseUrl.replace(/(\\/v1)?\\/*$/, "")}}/v1',
			headers: { Accept: 'application/json' },
		},
		properties,
	};
}
