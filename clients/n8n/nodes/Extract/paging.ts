import type { IDataObject, INodePropertyRouting } from 'n8n-workflow';

/** n8n replaces the fields' own query with this one, so it repeats theirs. Its type has no expression for an object. */
const query =
	'={{ Object.assign({}, $request.qs, { cursor: $response.body?.meta?.next_cursor ?? undefined }) }}' as unknown as IDataObject;

/** Follows the pages of a list by the cursor of each answer. */
export const paging: INodePropertyRouting = {
	send: { paginate: '={{ $value }}' },
	operations: {
		pagination: {
			type: 'generic',
			properties: {
				continue: '={{ $response.body?.meta?.next_cursor != null }}',
				request: { url: '={{ $request.url }}', qs: query },
			},
		},
	},
};
