import type {
	IDataObject,
	IExecuteSingleFunctions,
	IN8nHttpFullResponse,
	INodeExecutionData,
} from 'n8n-workflow';

interface Answer {
	data: IDataObject | IDataObject[];
	/** Where each item stands and how much of what was asked for came, if that was asked for. */
	sources?: IDataObject[];
	coverage?: IDataObject;
}

/**
 * What an answer holds: an item for each object of a list, with its `source` and the `coverage` of the answer where sources
 * were asked for. Each names the item that it was asked for, by which later nodes find what went before.
 */
export async function items(
	this: IExecuteSingleFunctions,
	_items: INodeExecutionData[],
	response: IN8nHttpFullResponse,
): Promise<INodeExecutionData[]> {
	const { data, sources, coverage } = response.body as unknown as Answer;
	const objects = Array.isArray(data) ? data : [data];
	const pairedItem = { item: this.getItemIndex() };
	return objects.map((json, at) => ({
		json: sources === undefined ? json : { ...json, source: sources[at], coverage },
		pairedItem,
	}));
}
