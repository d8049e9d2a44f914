/** The account that exists by itself where there is no server: the one of commands and of the library. */
export const localAccount = 'local';
