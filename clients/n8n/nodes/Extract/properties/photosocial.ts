// Written by `npm run generate` from the table of endpoints: change that, and not this file.
import type { INodeProperties } from 'n8n-workflow';

import { items } from '../items';
import { paging } from '../paging';

/** Instagram. */
export const photosocialProperties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: {
			show: {
				resource: [
					'photosocial',
				],
			},
		},
		options: [
			{
				name: 'Comments',
				value: 'comments',
				description: 'Instagram comments: on one post or reel, as far as logged-out visitors can see them (3 credits)',
				action: 'Get instagram comments',
				routing: {
					request: {
						method: 'GET',
						url: '/photosocial/comments',
					},
					output: {
						postReceive: [
							items,
						],
					},
				},
			},
			{
				name: 'Hashtag',
				value: 'hashtag',
				description: 'Instagram hashtag: its top public posts, as shown to logged-out visitors (4 credits)',
				action: 'Get instagram hashtag',
				routing: {
					request: {
						method: 'GET',
						url: '/photosocial/hashtag',
					},
					output: {
						postReceive: [
							items,
						],
					},
				},
			},
			{
				name: 'Post',
				value: 'post',
				description: 'Instagram post or reel: caption, time, file, carousel, likes, comments, hashtags, mentions (2 credits)',
				action: 'Get instagram post',
				routing: {
					request: {
						method: 'GET',
						url: '/photosocial/post',
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
				description: 'Instagram posts: by one account, pinned first, then newest (3 credits)',
				action: 'Get instagram posts',
				routing: {
					request: {
						method: 'GET',
						url: '/photosocial/posts',
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
				description: 'Instagram profile: name, bio, links, exact counts, verified, private, category (3 credits)',
				action: 'Get instagram profile',
				routing: {
					request: {
						method: 'GET',
						url: '/photosocial/profile',
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
					'photosocial',
				],
				operation: [
					'profile',
					'posts',
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
					'photosocial',
				],
				operation: [
					'profile',
					'posts',
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
		description: 'URL of the profile page, or a share link to it',
		required: true,
		displayOptions: {
			show: {
				resource: [
					'photosocial',
				],
				operation: [
					'profile',
					'posts',
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
					'photosocial',
				],
				operation: [
					'profile',
					'post',
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
					'photosocial',
				],
				operation: [
					'posts',
					'comments',
					'hashtag',
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
				default: 24,
				description: 'Items per page: a whole number from 1 to 24',
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
					'photosocial',
				],
				operation: [
					'posts',
					'hashtag',
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
				name: 'Shortcode',
				value: 'shortcode',
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
					'photosocial',
				],
				operation: [
					'post',
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
		description: 'URL of the post: /p/, /reel/ or /tv/, with or without the account before it, or a share link',
		required: true,
		displayOptions: {
			show: {
				resource: [
					'photosocial',
				],
				operation: [
					'post',
					'comments',
				],
				findBy: [
					'url',
				],
			},
		},
	},
	{
		displayName: 'Shortcode',
		name: 'shortcode',
		routing: {
			send: {
				type: 'query',
				property: 'shortcode',
				value: '={{ $value || undefined }}',
			},
		},
		type: 'string',
		default: '',
		description: 'Code of the post in its URL; case matters',
		required: true,
		displayOptions: {
			show: {
				resource: [
					'photosocial',
				],
				operation: [
					'post',
					'comments',
				],
				findBy: [
					'shortcode',
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
					'photosocial',
				],
				operation: [
					'comments',
				],
			},
		},
	},
	{
		displayName: 'Tag',
		name: 'tag',
		routing: {
			send: {
				type: 'query',
				property: 'tag',
				value: '={{ $value || undefined }}',
			},
		},
		type: 'string',
		default: '',
		description: 'Hashtag without the leading #, or the words of a topic, in any script; case does not matter',
		required: true,
		displayOptions: {
			show: {
				resource: [
					'photosocial',
				],
				operation: [
					'hashtag',
				],
			},
		},
	},
];
