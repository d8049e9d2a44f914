// Written by `npm run generate` from the table of endpoints: change that, and not this file.
import type { INodeProperties } from 'n8n-workflow';

import { items } from '../items';
import { paging } from '../paging';

/** Google Maps. */
export const mapsProperties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: {
			show: {
				resource: [
					'maps',
				],
			},
		},
		options: [
			{
				name: 'Photos',
				value: 'photos',
				description: 'Google Maps photos: of a place, with sizes in pixels (2 credits)',
				action: 'Get google maps photos',
				routing: {
					request: {
						method: 'GET',
						url: '/maps/photos',
					},
					output: {
						postReceive: [
							items,
						],
					},
				},
			},
			{
				name: 'Place',
				value: 'place',
				description: 'Google Maps place: hours, ratings by stars, busy hours, the About tab (3 credits)',
				action: 'Get google maps place',
				routing: {
					request: {
						method: 'GET',
						url: '/maps/place',
					},
					output: {
						postReceive: [
							items,
						],
					},
				},
			},
			{
				name: 'Places',
				value: 'places',
				description: 'Google Maps search: places with address, rating, phone, website, hours (3 credits)',
				action: 'Get google maps places',
				routing: {
					request: {
						method: 'GET',
						url: '/maps/places',
					},
					output: {
						postReceive: [
							items,
						],
					},
				},
			},
			{
				name: 'Reviews',
				value: 'reviews',
				description: 'Google Maps reviews: of a place, with authors, photos and the owner’s replies (3 credits)',
				action: 'Get google maps reviews',
				routing: {
					request: {
						method: 'GET',
						url: '/maps/reviews',
					},
					output: {
						postReceive: [
							items,
						],
					},
				},
			},
		],
		default: 'photos',
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
		description: 'What to search for, such as “coffee in Athens”',
		required: true,
		displayOptions: {
			show: {
				resource: [
					'maps',
				],
				operation: [
					'places',
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
					'maps',
				],
				operation: [
					'places',
					'reviews',
					'photos',
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
				displayName: 'Country',
				name: 'country',
				routing: {
					send: {
						type: 'query',
						property: 'country',
						value: '={{ $value || undefined }}',
					},
				},
				type: 'string',
				default: '',
				description: 'Country whose format phone numbers and addresses follow',
			},
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
				displayName: 'Language',
				name: 'language',
				routing: {
					send: {
						type: 'query',
						property: 'language',
						value: '={{ $value || undefined }}',
					},
				},
				type: 'string',
				default: '',
				description: 'Language of names, categories and hours',
			},
			{
				displayName: 'Lat',
				name: 'lat',
				routing: {
					send: {
						type: 'query',
						property: 'lat',
					},
				},
				type: 'number',
				default: -90,
				description: 'Latitude of the centre of the area; requires lng: a number from -90 to 90',
			},
			{
				displayName: 'Lng',
				name: 'lng',
				routing: {
					send: {
						type: 'query',
						property: 'lng',
					},
				},
				type: 'number',
				default: -180,
				description: 'Longitude of the centre of the area; requires lat: a number from -180 to 180',
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
				displayName: 'Radius M',
				name: 'radiusM',
				routing: {
					send: {
						type: 'query',
						property: 'radius_m',
					},
				},
				type: 'number',
				default: 5000,
				description: 'Radius of the area in metres, with lat and lng: a whole number from 100 to 50000',
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
					'maps',
				],
				operation: [
					'places',
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
				name: 'Place ID',
				value: 'placeId',
			},
			{
				name: 'URL',
				value: 'url',
			},
		],
		default: 'placeId',
		displayOptions: {
			show: {
				resource: [
					'maps',
				],
				operation: [
					'place',
					'reviews',
					'photos',
				],
			},
		},
	},
	{
		displayName: 'Place ID',
		name: 'placeId',
		routing: {
			send: {
				type: 'query',
				property: 'place_id',
				value: '={{ $value || undefined }}',
			},
		},
		type: 'string',
		default: '',
		description: 'Place ID: ChIJ…',
		required: true,
		displayOptions: {
			show: {
				resource: [
					'maps',
				],
				operation: [
					'place',
					'reviews',
					'photos',
				],
				findBy: [
					'placeId',
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
		description: 'URL of the place’s page, or a short link to it',
		required: true,
		displayOptions: {
			show: {
				resource: [
					'maps',
				],
				operation: [
					'place',
					'reviews',
					'photos',
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
				displayName: 'Language',
				name: 'language',
				routing: {
					send: {
						type: 'query',
						property: 'language',
						value: '={{ $value || undefined }}',
					},
				},
				type: 'string',
				default: '',
				description: 'Language of names, categories and hours',
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
					'maps',
				],
				operation: [
					'place',
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
				displayName: 'Sort',
				name: 'sort',
				routing: {
					send: {
						type: 'query',
						property: 'sort',
					},
				},
				type: 'options',
				options: [
					{
						name: 'Highest',
						value: 'highest',
					},
					{
						name: 'Lowest',
						value: 'lowest',
					},
					{
						name: 'Newest',
						value: 'newest',
					},
					{
						name: 'Relevant',
						value: 'relevant',
					},
				],
				default: 'relevant',
				description: 'Order of the reviews',
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
					'maps',
				],
				operation: [
					'reviews',
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
					'maps',
				],
				operation: [
					'photos',
				],
			},
		},
	},
];
