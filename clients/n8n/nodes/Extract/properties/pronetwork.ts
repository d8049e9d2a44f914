// Written by `npm run generate` from the table of endpoints: change that, and not this file.
import type { INodeProperties } from 'n8n-workflow';

import { items } from '../items';
import { paging } from '../paging';

/** LinkedIn. */
export const pronetworkProperties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: {
			show: {
				resource: [
					'pronetwork',
				],
			},
		},
		options: [
			{
				name: 'Company',
				value: 'company',
				description: 'LinkedIn company: description, size, industry, headquarters and exact followers (6 credits)',
				action: 'Get linkedin company',
				routing: {
					request: {
						method: 'GET',
						url: '/pronetwork/company',
					},
					output: {
						postReceive: [
							items,
						],
					},
				},
			},
			{
				name: 'Jobs',
				value: 'jobs',
				description: 'LinkedIn jobs: by query, location, workplace and age, with their descriptions (4 credits)',
				action: 'Get linkedin jobs',
				routing: {
					request: {
						method: 'GET',
						url: '/pronetwork/jobs',
					},
					output: {
						postReceive: [
							items,
						],
					},
				},
			},
			{
				name: 'Posts',
				value: 'posts',
				description: 'LinkedIn posts: by a person or a company, newest first (6 credits)',
				action: 'Get linkedin posts',
				routing: {
					request: {
						method: 'GET',
						url: '/pronetwork/posts',
					},
					output: {
						postReceive: [
							items,
						],
					},
				},
			},
			{
				name: 'Profile',
				value: 'profile',
				description: 'LinkedIn profile: headline, about, counts, experience, education and skills (10 credits)',
				action: 'Get linkedin profile',
				routing: {
					request: {
						method: 'GET',
						url: '/pronetwork/profile',
					},
					output: {
						postReceive: [
							items,
						],
					},
				},
			},
		],
		default: 'company',
	},
	{
		displayName: 'Find By',
		name: 'findBy',
		type: 'options',
		options: [
			{
				name: 'URL',
				value: 'url',
			},
			{
				name: 'Vanity Name',
				value: 'vanityName',
			},
		],
		default: 'url',
		displayOptions: {
			show: {
				resource: [
					'pronetwork',
				],
				operation: [
					'profile',
					'company',
				],
			},
		},
	},
	{
		displayName: 'URL',
		name: 'url',
		routing: {
			send: {
				type: 'query',
				property: 'url',
				value: '={{ $value || undefined }}',
			},
		},
		type: 'string',
		default: '',
		description: 'URL of the profile page, on any of the platform’s hosts',
		required: true,
		displayOptions: {
			show: {
				resource: [
					'pronetwork',
				],
				operation: [
					'profile',
				],
				findBy: [
					'url',
				],
			},
		},
	},
	{
		displayName: 'Vanity Name',
		name: 'vanityName',
		routing: {
			send: {
				type: 'query',
				property: 'vanity_name',
				value: '={{ $value || undefined }}',
			},
		},
		type: 'string',
		default: '',
		description: 'The part of the profile’s URL after /in/',
		required: true,
		displayOptions: {
			show: {
				resource: [
					'pronetwork',
				],
				operation: [
					'profile',
				],
				findBy: [
					'vanityName',
				],
			},
		},
	},
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [
			{
				displayName: 'Demo',
				name: 'demo',
				routing: {
					send: {
						type: 'query',
						property: 'demo',
					},
				},
				type: 'boolean',
				default: false,
				description: 'Whether this is wanted: return sample data: no network, no key, no charge',
			},
			{
				displayName: 'Fresh',
				name: 'fresh',
				routing: {
					send: {
						type: 'query',
						property: 'fresh',
					},
				},
				type: 'boolean',
				default: false,
				description: 'Whether this is wanted: skip the cache and fetch now; charged as usual',
			},
			{
				displayName: 'Sources',
				name: 'sources',
				routing: {
					send: {
						type: 'query',
						property: 'sources',
					},
				},
				type: 'boolean',
				default: false,
				description: 'Whether this is wanted: add to each item its ID, URL, author, position and time of reading',
			},
		],
		displayOptions: {
			show: {
				resource: [
					'pronetwork',
				],
				operation: [
					'profile',
					'company',
				],
			},
		},
	},
	{
		displayName: 'URL',
		name: 'url',
		routing: {
			send: {
				type: 'query',
				property: 'url',
				value: '={{ $value || undefined }}',
			},
		},
		type: 'string',
		default: '',
		description: 'URL of the company page, on any of the platform’s hosts',
		required: true,
		displayOptions: {
			show: {
				resource: [
					'pronetwork',
				],
				operation: [
					'company',
				],
				findBy: [
					'url',
				],
			},
		},
	},
	{
		displayName: 'Vanity Name',
		name: 'vanityName',
		routing: {
			send: {
				type: 'query',
				property: 'vanity_name',
				value: '={{ $value || undefined }}',
			},
		},
		type: 'string',
		default: '',
		description: 'The part of the company’s URL after /company/: its name, or its number',
		required: true,
		displayOptions: {
			show: {
				resource: [
					'pronetwork',
				],
				operation: [
					'company',
				],
				findBy: [
					'vanityName',
				],
			},
		},
	},
	{
		displayName: 'Find By',
		name: 'findBy',
		type: 'options',
		options: [
			{
				name: 'Company URL',
				value: 'companyUrl',
			},
			{
				name: 'Profile URL',
				value: 'profileUrl',
			},
		],
		default: 'profileUrl',
		displayOptions: {
			show: {
				resource: [
					'pronetwork',
				],
				operation: [
					'posts',
				],
			},
		},
	},
	{
		displayName: 'Profile URL',
		name: 'profileUrl',
		routing: {
			send: {
				type: 'query',
				property: 'profile_url',
				value: '={{ $value || undefined }}',
			},
		},
		type: 'string',
		default: '',
		description: 'URL of a profile page',
		required: true,
		displayOptions: {
			show: {
				resource: [
					'pronetwork',
				],
				operation: [
					'posts',
				],
				findBy: [
					'profileUrl',
				],
			},
		},
	},
	{
		displayName: 'Company URL',
		name: 'companyUrl',
		routing: {
			send: {
				type: 'query',
				property: 'company_url',
				value: '={{ $value || undefined }}',
			},
		},
		type: 'string',
		default: '',
		description: 'URL of a company, school or showcase page',
		required: true,
		displayOptions: {
			show: {
				resource: [
					'pronetwork',
				],
				operation: [
					'posts',
				],
				findBy: [
					'companyUrl',
				],
			},
		},
	},
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
		routing: paging,
		displayOptions: {
			show: {
				resource: [
					'pronetwork',
				],
				operation: [
					'posts',
					'jobs',
				],
			},
		},
	},
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [
			{
				displayName: 'Demo',
				name: 'demo',
				routing: {
					send: {
						type: 'query',
						property: 'demo',
					},
				},
				type: 'boolean',
				default: false,
				description: 'Whether this is wanted: return sample data: no network, no key, no charge',
			},
			{
				displayName: 'Fresh',
				name: 'fresh',
				routing: {
					send: {
						type: 'query',
						property: 'fresh',
					},
				},
				type: 'boolean',
				default: false,
				description: 'Whether this is wanted: skip the cache and fetch now; charged as usual',
			},
			{
				displayName: 'Page Size',
				name: 'pageSize',
				routing: {
					send: {
						type: 'query',
						property: 'limit',
					},
				},
				type: 'number',
				default: 20,
				description: 'Items per page: a whole number from 1 to 20',
			},
			{
				displayName: 'Sources',
				name: 'sources',
				routing: {
					send: {
						type: 'query',
						property: 'sources',
					},
				},
				type: 'boolean',
				default: false,
				description: 'Whether this is wanted: add to each item its ID, URL, author, position and time of reading',
			},
		],
		displayOptions: {
			show: {
				resource: [
					'pronetwork',
				],
				operation: [
					'posts',
				],
			},
		},
	},
	{
		displayName: 'Query',
		name: 'query',
		routing: {
			send: {
				type: 'query',
				property: 'query',
				value: '={{ $value || undefined }}',
			},
		},
		type: 'string',
		default: '',
		description: 'What to search for: a title, a skill, a company',
		required: true,
		displayOptions: {
			show: {
				resource: [
					'pronetwork',
				],
				operation: [
					'jobs',
				],
			},
		},
	},
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [
			{
				displayName: 'Demo',
				name: 'demo',
				routing: {
					send: {
						type: 'query',
						property: 'demo',
					},
				},
				type: 'boolean',
				default: false,
				description: 'Whether this is wanted: return sample data: no network, no key, no charge',
			},
			{
				displayName: 'Fresh',
				name: 'fresh',
				routing: {
					send: {
						type: 'query',
						property: 'fresh',
					},
				},
				type: 'boolean',
				default: false,
				description: 'Whether this is wanted: skip the cache and fetch now; charged as usual',
			},
			{
				displayName: 'Location',
				name: 'location',
				routing: {
					send: {
						type: 'query',
						property: 'location',
						value: '={{ $value || undefined }}',
					},
				},
				type: 'string',
				default: '',
				description: 'Location, as the platform writes it',
			},
			{
				displayName: 'Page Size',
				name: 'pageSize',
				routing: {
					send: {
						type: 'query',
						property: 'limit',
					},
				},
				type: 'number',
				default: 25,
				description: 'Items per page: a whole number from 1 to 25',
			},
			{
				displayName: 'Posted Within Days',
				name: 'postedWithinDays',
				routing: {
					send: {
						type: 'query',
						property: 'posted_within_days',
					},
				},
				type: 'number',
				default: 1,
				description: 'Only jobs listed in the last N days: a whole number from 1 to 90',
			},
			{
				displayName: 'Sources',
				name: 'sources',
				routing: {
					send: {
						type: 'query',
						property: 'sources',
					},
				},
				type: 'boolean',
				default: false,
				description: 'Whether this is wanted: add to each item its ID, URL, author, position and time of reading',
			},
			{
				displayName: 'Workplace Type',
				name: 'workplaceType',
				routing: {
					send: {
						type: 'query',
						property: 'workplace_type',
					},
				},
				type: 'options',
				options: [
					{
						name: 'Hybrid',
						value: 'hybrid',
					},
					{
						name: 'On-Site',
						value: 'on-site',
					},
					{
						name: 'Remote',
						value: 'remote',
					},
				],
				default: 'on-site',
				description: 'Only jobs of this kind',
			},
		],
		displayOptions: {
			show: {
				resource: [
					'pronetwork',
				],
				operation: [
					'jobs',
				],
			},
		},
	},
];
