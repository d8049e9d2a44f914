// Written by `npm run generate` from the tables of endpoints and steps: change those, and not this file.
import type { INodeProperties } from 'n8n-workflow';

import { mapsProperties } from './maps';
import { pronetworkProperties } from './pronetwork';
import { photosocialProperties } from './photosocial';
import { shortvideoProperties } from './shortvideo';
import { jobProperties } from './job';

/** Every field of the node. */
export const properties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Google Maps', value: 'maps' },
			{ name: 'Instagram', value: 'photosocial' },
			{ name: 'Job', value: 'job' },
			{ name: 'LinkedIn', value: 'pronetwork' },
			{ name: 'TikTok', value: 'shortvideo' },
		],
		default: 'maps',
	},
	...mapsProperties,
	...pronetworkProperties,
	...photosocialProperties,
	...shortvideoProperties,
	...jobProperties,
];
