import { useState } from 'react'
import { useConfig, useConnection } from 'wagmi'
import { useChains } from '../api/configuration.ts'
import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Problem } from '../ui/problem.tsx'
import { disconnectWallet } from './connectors.ts'
import { useSigner } from './signer.ts'
import type { WalletConfig } from './wallet-config.ts'

export function NetworkScreen() {
  const { connector, chainId } = useConnection()
  const config = useConfig() as WalletConfig
  const chains = useChains()
  const signer = useSigner()
  const [switchingTo, setSwitchingTo] = useState<number>()
  const [error, setError] = useState<unknown>()
  const wallet = connector?.name ?? ''

  const switchTo = async (target: number) => {
    setSwitchingTo(target)
    setError(undefined)
    try {
      await signer?.switchChain(target)
    } catch (cause) {
      setError(cause)
    } finally {
      setSwitchingTo(undefined)
    }
  }
  return (
    <div className="grid gap-5">
      <Notice
        tone="warning"
        isAnnounced
        title={text('wallet.network.sentence')}
        hint={text('wallet.network.cause', { wallet, chainId: chainId ?? 0 })}
      />
      {error !== undefined && <Problem error={error} />}
      <div className="grid gap-2">
        {chains.map((chain) => (
          <Button
            key={chain.chainId}
            variant="primary"
            isWide
            disabled={switchingTo !== undefined && switchingTo !== chain.chainId}
            busy={switchingTo === chain.chainId ? text('wallet.network.switching', { wallet }) : undefined}
            onClick={() => void switchTo(chain.chainId)}
          >
            {text('wallet.network.switch', { chain: chain.name })}
          </Button>
        ))}
        <Button isWide onClick={() => void disconnectWallet(config)}>
          {text('wallet.profile.disconnect')}
        </Button>
      </div>
    </div>
  )
}
