import { testScenarios } from './short-form.js';

testScenarios('servers that share a PostgreSQL keep them, too', true);
