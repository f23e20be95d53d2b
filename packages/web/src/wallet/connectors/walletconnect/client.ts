import type { WalletConnectSettings } from '@countersign/contract'
import { SignClient } from '@walletconnect/sign-client'
import { walletConnectStorage } from './storage.ts'

export type Client = Awaited<ReturnType<typeof SignClient.init>>

/** WalletConnect's client, talking to the relay of the configuration and to nobody else. */
export async function startClient({ projectId, relayUrl }: WalletConnectSettings): Promise<Client> {
  const { origin } = window.location
  const client = await SignClient.init({
    ...(projectId ? { projectId } : {}),
    relayUrl,
    metadata: {
      name: 'Countersign',
      description: 'Countersign what a Safe does',
      url: origin,
      icons: [`${origin}/favicon.svg`],
    },
    storage: walletConnectStorage,
    telemetryEnabled: false,
    // Its own words for the console; what matters is thrown.
    logger: 'silent',
  })
  // It would ask another host whether this site is known, in a frame, and wait five seconds for it at every request.
  client.core.verify.register = async () => undefined
  client.core.verify.resolve = async () => ({ origin: '' })
  const { relayer } = client.core
  // Refused once, perhaps because its pass has run out, it would never try again; so it does, with its next heartbeat.
  relayer.on('relayer_error', () => setTimeout(() => (relayer.transportExplicitlyClosed = false)))
  // A socket that was replaced and is refused late has nobody left who listens, and its error would be thrown at nobody.
  relayer.on('relayer_connect', () => relayer.provider.on('error', () => {}))
  return client
}
