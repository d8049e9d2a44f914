import type { IDataObject, INodePropertyRouting } from 'n8n-workflow';

/** n8n puts this query in the place of the fields' own, so it repeats theirs. Its type knows no expression of an object. */
const query =
	'={{ Object.assign({}, $request.qs, { cursor: $response.body?.meta?.next_cursor ?? undefined }) }}' as unknown as IDataObject;

/** Follows the pages of a list: n8n asks on with the cursor of the answer before. */
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
