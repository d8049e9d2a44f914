import type {
	IAuthenticateGeneric,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';

/** The server's address and an API key. */
export class ExtractApi implements ICredentialType {
	name = 'extractApi';

	displayName = 'Extract API';

	documentationUrl = 'https://extract.example.com/docs/guides/n8n';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: 'http://localhost:8787',
			required: true,
			description: 'Address of the server, as extract serve prints it',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'A key from extract server keys create or the dashboard of the server; empty for extract serve --local',
		},
	];

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
	};

	test: ICredentialTestRequest = {
		request: { baseURL: '={{$credentials.baseUrl.replace(/(\\/v1)?\\/*$/, "")}}/v1', url: '/account' },
	};
}
