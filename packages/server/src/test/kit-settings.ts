import { canonicalContract } from '@countersign/devnet'

/** For protocol-kit, which knows no contracts of the devnet by itself. */
export function kitSettings(rpcUrl: string, version: '1.3.0' | '1.4.1' | '1.5.0') {
  const at = (asset: string) => canonicalContract(version, asset).address
  const isOld = version === '1.3.0'
  return {
    provider: rpcUrl,
    contractNetworks: {
      31337: {
        safeSingletonAddress: at(isOld ? 'gnosis_safe' : 'safe'),
        safeProxyFactoryAddress: at(isOld ? 'proxy_factory' : 'safe_proxy_factory'),
        multiSendAddress: at('multi_send'),
        multiSendCallOnlyAddress: at('multi_send_call_only'),
        fallbackHandlerAddress: at('compatibility_fallback_handler'),
        createCallAddress: at('create_call'),
        simulateTxAccessorAddress: at('simulate_tx_accessor'),
        // The one of 1.3.0 cannot be deployed here; nothing is signed on the chain.
        signMessageLibAddress: canonicalContract('1.4.1', 'sign_message_lib').address,
      },
    },
  }
}
