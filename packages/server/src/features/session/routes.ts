import {
  getSession,
  prepareSignIn as prepareEndpoint,
  signIn as signInEndpoint,
  signOut as signOutEndpoint,
} from '@countersign/contract'
import { mountPublic, type Router } from '../../http/endpoint.ts'
import { findSession } from '../../http/find-session.ts'
import {
  browserHash,
  clearSessionCookie,
  hashToken,
  knownBrowserHash,
  newToken,
  sessionTokenHash,
  writeSessionCookie,
} from '../../http/session.ts'
import { prepareSignIn } from './prepare.ts'
import { signIn } from './sign-in.ts'
import { signOut } from './sign-out.ts'

export function sessionRoutes(router: Router): void {
  mountPublic(router, getSession, async (ctx, _input, c) => {
    const tokenHash = sessionTokenHash(c, ctx)
    const found = tokenHash ? await findSession(ctx, tokenHash) : null
    if (!found || found.isExpired) return { session: null }
    const { address, chainId, createdAt, expiresAt } = found
    return { session: { address, chainId, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() } }
  })

  mountPublic(router, prepareEndpoint, (ctx, input, c) =>
    prepareSignIn(ctx, { ...input, browserHash: browserHash(c, ctx) }),
  )

  mountPublic(router, signInEndpoint, async (ctx, input, c) => {
    const token = newToken()
    const reply = await signIn(ctx, {
      ...input,
      browserHash: knownBrowserHash(c, ctx),
      tokenHash: hashToken(token),
      previousTokenHash: sessionTokenHash(c, ctx),
    })
    writeSessionCookie(c, ctx, token)
    return reply
  })

  mountPublic(router, signOutEndpoint, async (ctx, _input, c) => {
    const tokenHash = sessionTokenHash(c, ctx)
    if (tokenHash) await signOut(ctx, tokenHash)
    clearSessionCookie(c, ctx)
    return undefined
  })
}
