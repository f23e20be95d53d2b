import {
  getSession,
  getWaitingSignIn,
  keepWaitingSignIn as keepWaitingSignInEndpoint,
  listSessions as listEndpoint,
  listSignInRequests as listRequestsEndpoint,
  prepareSignIn as prepareEndpoint,
  refuseSignIn as refuseSignInEndpoint,
  revokeSession as revokeEndpoint,
  revokeOtherSessions as revokeOthersEndpoint,
  signIn as signInEndpoint,
  signOut as signOutEndpoint,
} from '@countersign/contract'
import { mount, mountPublic, type Router } from '../../http/endpoint.ts'
import { hashToken, newToken } from '../../http/random-token.ts'
import { clientNetwork } from '../../http/rate-limit.ts'
import { seenName, seenNames, writeSeenCookie } from '../../http/seen-browser.ts'
import {
  browserHash,
  clearSessionCookies,
  findRequestSession,
  knownBrowserHash,
  placeOf,
  sessionTokenHashes,
  writeSessionCookie,
} from '../../http/session.ts'
import { prepareSignIn } from './prepare.ts'
import { listSessions, revokeOtherSessions, revokeSession } from './sessions.ts'
import { signIn } from './sign-in.ts'
import { signOut } from './sign-out.ts'
import { findRefusal, findWaitingSignIn, keepWaitingSignIn, listSignInRequests, refuseSignIn } from './waiting.ts'

const MAX_USER_AGENT_LENGTH = 400

export function sessionRoutes(router: Router): void {
  mountPublic(router, getSession, async (ctx, _input, c) => {
    const network = clientNetwork(c.get('clientAddress'))
    const shown = sessionTokenHashes(c, ctx)
    const found = await router.admission.find(
      shown,
      network,
      'reads',
      () => findRequestSession(c, ctx),
      () => seenNames(c, ctx),
    )
    if (!found) return { session: null }
    const { address, chainId, provenBy, createdAt, expiresAt, ended } = found
    if (ended) return { session: null, ended }
    return {
      session: { address, chainId, provenBy, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() },
    }
  })

  mountPublic(router, prepareEndpoint, (ctx, { isFramed, ...input }, c) => {
    const place = placeOf(ctx, isFramed)
    const network = clientNetwork(c.get('clientAddress'))
    // In a browser where this account has signed in before, strangers who name the account do not use up its limit.
    if (!seenNames(c, ctx).includes(seenName(ctx, input.address))) router.admission.takeMessage(network)
    if (input.waitsForOwners) router.admission.take('waitingMessages', network)
    return prepareSignIn(ctx, { ...input, isFramed, browserHash: browserHash(c, ctx, place) })
  })

  mountPublic(router, getWaitingSignIn, async (ctx, { isFramed, ...account }, c) => {
    const hash = knownBrowserHash(c, ctx, placeOf(ctx, isFramed === 'true'))
    if (!hash) return { waiting: null }
    const asked = { ...account, browserHash: hash }
    const waiting = await findWaitingSignIn(ctx, asked)
    const refused = waiting ? undefined : await findRefusal(ctx, asked)
    return { waiting, ...(refused ? { refused } : {}) }
  })

  mountPublic(router, keepWaitingSignInEndpoint, async (ctx, { isFramed, ...input }, c) => {
    await keepWaitingSignIn(ctx, { ...input, browserHash: knownBrowserHash(c, ctx, placeOf(ctx, isFramed)) })
    return undefined
  })

  mountPublic(router, signInEndpoint, async (ctx, { message, signature, isFramed }, c) => {
    const place = placeOf(ctx, isFramed)
    const token = newToken()
    const reply = await signIn(ctx, {
      message,
      signature,
      browserHash: knownBrowserHash(c, ctx, place),
      session: {
        tokenHash: hashToken(token),
        previousTokenHashes: sessionTokenHashes(c, ctx),
        isFramed: place === 'frame',
        userAgent: c.req.header('user-agent')?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
        clientAddress: c.get('clientAddress'),
      },
    })
    router.admission.recognise({ tokenHash: hashToken(token), address: reply.session.address })
    writeSessionCookie(c, ctx, place, token)
    writeSeenCookie(c, ctx, place, reply.session.address)
    return reply
  })

  mountPublic(router, signOutEndpoint, async (ctx, _input, c) => {
    await signOut(ctx, sessionTokenHashes(c, ctx))
    clearSessionCookies(c, ctx)
    return undefined
  })

  mount(router, listEndpoint, listSessions)
  mount(router, revokeEndpoint, revokeSession)
  mount(router, listRequestsEndpoint, listSignInRequests)
  mount(router, refuseSignInEndpoint, refuseSignIn)
  mount(router, revokeOthersEndpoint, revokeOtherSessions)
}
