import {
  createApiToken as createEndpoint,
  listApiTokens as listEndpoint,
  revokeApiToken as revokeEndpoint,
} from '@countersign/contract'
import { newApiToken } from '../../http/api-token.ts'
import { mount, type Router } from '../../http/endpoint.ts'
import { hashToken } from '../../http/random-token.ts'
import { createApiToken, listApiTokens, revokeApiToken } from './tokens.ts'

export function tokenRoutes(router: Router): void {
  mount(router, listEndpoint, listApiTokens)
  mount(router, createEndpoint, async (ctx, input) => {
    const token = newApiToken()
    return { token, apiToken: await createApiToken(ctx, { ...input, tokenHash: hashToken(token) }) }
  })
  mount(router, revokeEndpoint, revokeApiToken)
}
