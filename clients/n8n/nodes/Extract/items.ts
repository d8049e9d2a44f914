import type {
	IDataObject,
	IExecuteSingleFunctions,
	IN8nHttpFullResponse,
	INodeExecutionData,
} from 'n8n-workflow';

interface Answer {
	data: IDataObject | IDataObject[];
	/** The source of each item and the coverage of the answer, if requested. */
	sources?: IDataObject[];
	coverage?: IDataObject;
}

/**
 * Returns the items of an answer: one per object of a list, with its `source` and the answer's `coverage` if sources
 * were requested. Each is paired with its input item, so that later nodes can refer to earlier ones.
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
