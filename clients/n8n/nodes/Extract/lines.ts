import type {
	IDataObject,
	IExecuteSingleFunctions,
	IN8nHttpFullResponse,
	INodeExecutionData,
} from 'n8n-workflow';

/** Returns the results of a job, an item per line. A single line is JSON, which n8n has already parsed. */
export async function lines(
	this: IExecuteSingleFunctions,
	_items: INodeExecutionData[],
	response: IN8nHttpFullResponse,
): Promise<INodeExecutionData[]> {
	const { body } = response;
	const objects =
		typeof body === 'string'
			? body
					.split('\n')
					.filter((line) => line !== '')
					.map((line) => JSON.parse(line) as IDataObject)
			: [body as unknown as IDataObject];
	const pairedItem = { item: this.getItemIndex() };
	return objects.map((json) => ({ json, pairedItem }));
}
