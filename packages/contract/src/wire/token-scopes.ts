/** Powers of a token: `read` all that its account may see; `propose`, and keep data of the team; `confirm`. */
export const tokenScopes = ['read', 'propose', 'confirm'] as const
export type TokenScope = (typeof tokenScopes)[number]
