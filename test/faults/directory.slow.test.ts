import { testScenarios } from './short-form.js';

testScenarios('a program that is broken in every known way keeps its promises', false);
