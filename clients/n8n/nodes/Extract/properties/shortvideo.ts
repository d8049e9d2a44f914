// Written by `npm run generate` from the table of endpoints: change that, and not this file.
import type { INodeProperties } from 'n8n-workflow';

import { items } from '../items';
import { paging } from '../paging';

/** TikTok. */
export const shortvideoProperties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: {
			show: {
				resource: [
					'shortvideo',
				],
			},
		},
		options: [
			{
				name: 'Comments',
				value: 'comments',
				description: 'TikTok comments: on a video, a page at a time (3 credits)',
				action: 'Get tiktok comments',
				routing: {
					request: {
						method: 'GET',
						url: '/shortvideo/comments',
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
				description: 'TikTok profile: name, bio, link, picture and counts (3 credits)',
				action: 'Get tiktok profile',
				routing: {
					request: {
						method: 'GET',
						url: '/shortvideo/profile',
					},
					output: {
						postReceive: [
							items,
						],
					},
				},
			},
			{
				name: 'Search',
				value: 'search',
				description: 'TikTok search: videos for a hashtag, a word or a phrase (4 credits)',
				action: 'Get tiktok search',
				routing: {
					request: {
						method: 'GET',
						url: '/shortvideo/search',
					},
					output: {
						postReceive: [
							items,
						],
					},
				},
			},
			{
				name: 'Video',
				value: 'video',
				description: 'TikTok video: caption, time, counts, hashtags, sound, file; photo posts, too (2 credits)',
				action: 'Get tiktok video',
				routing: {
					request: {
						method: 'GET',
						url: '/shortvideo/video',
					},
					output: {
						postReceive: [
							items,
						],
					},
				},
			},
			{
				name: 'Videos',
				value: 'videos',
				description: 'TikTok videos: the newest of one account (3 credits)',
				action: 'Get tiktok videos',
				routing: {
					request: {
						method: 'GET',
						url: '/shortvideo/videos',
					},
					output: {
						postReceive: [
							items,
						],
					},
				},
			},
		],
		default: 'comments',
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
				name: 'Username',
				value: 'username',
			},
		],
		default: 'username',
		displayOptions: {
			show: {
				resource: [
					'shortvideo',
				],
				operation: [
					'profile',
					'videos',
				],
			},
		},
	},
	{
		displayName: 'Username',
		name: 'username',
		routing: {
			send: {
				type: 'query',
				property: 'username',
				value: '={{ $value || undefined }}',
			},
		},
		type: 'string',
		default: '',
		description: 'Handle without the leading @; case does not matter',
		required: true,
		displayOptions: {
			show: {
				resource: [
					'shortvideo',
				],
				operation: [
					'profile',
					'videos',
				],
				findBy: [
					'username',
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
		description: 'URL of the profile page, or a short link to it',
		required: true,
		displayOptions: {
			show: {
				resource: [
					'shortvideo',
				],
				operation: [
					'profile',
					'videos',
				],
				findBy: [
					'url',
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
					'shortvideo',
				],
				operation: [
					'profile',
					'video',
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
					'shortvideo',
				],
				operation: [
					'videos',
					'comments',
					'search',
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
				default: 30,
				description: 'Items per page: a whole number from 1 to 30',
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
					'shortvideo',
				],
				operation: [
					'videos',
					'search',
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
				name: 'ID',
				value: 'id',
			},
			{
				name: 'URL',
				value: 'url',
			},
		],
		default: 'url',
		displayOptions: {
			show: {
				resource: [
					'shortvideo',
				],
				operation: [
					'video',
					'comments',
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
		description: 'URL of the video or photo post in any form, or a short link to it',
		required: true,
		displayOptions: {
			show: {
				resource: [
					'shortvideo',
				],
				operation: [
					'video',
					'comments',
				],
				findBy: [
					'url',
				],
			},
		},
	},
	{
		displayName: 'ID',
		name: 'id',
		routing: {
			send: {
				type: 'query',
				property: 'id',
				value: '={{ $value || undefined }}',
			},
		},
		type: 'string',
		default: '',
		description: 'ID of the video',
		required: true,
		displayOptions: {
			show: {
				resource: [
					'shortvideo',
				],
				operation: [
					'video',
					'comments',
				],
				findBy: [
					'id',
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
				default: 50,
				description: 'Items per page: a whole number from 1 to 50',
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
					'shortvideo',
				],
				operation: [
					'comments',
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
		description: 'A hashtag, a word or a phrase; case does not matter',
		required: true,
		displayOptions: {
			show: {
				resource: [
					'shortvideo',
				],
				operation: [
					'search',
				],
			},
		},
	},
];
