export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0e6b5c"/><path d="M9 9h14M9 16h9M9 23h14" stroke="#fff" stroke-width="3.2" stroke-linecap="round"/></svg>
`;
