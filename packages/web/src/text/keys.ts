// Generated from the texts in `en` by `scripts/generate-docs.mjs`.
type Value = string | number | bigint
type Count = number | bigint

// biome-ignore format: one area a line
/** Areas of texts: each has a file in every language. */
export type Area =
  | 'account'
  | 'acknowledgements'
  | 'alive'
  | 'app'
  | 'assets'
  | 'balances'
  | 'book'
  | 'bring'
  | 'call-findings'
  | 'chains'
  | 'compose'
  | 'create'
  | 'design'
  | 'device'
  | 'errors'
  | 'execute'
  | 'findings'
  | 'first-errors'
  | 'guide'
  | 'history'
  | 'import'
  | 'items'
  | 'landing'
  | 'messages'
  | 'my-safes'
  | 'policy'
  | 'proposal'
  | 'reverts'
  | 'review-details'
  | 'review'
  | 'safe-app'
  | 'safe'
  | 'safes'
  | 'settings'
  | 'several'
  | 'simulation'
  | 'team'
  | 'titles'
  | 'tokens'
  | 'transactions'
  | 'wallet-dialog'
  | 'wallet'
  | 'walletconnect'
  | 'webhooks'
  | 'workspace'
  | 'worth'

// biome-ignore format: one key a line
/** Keys of texts without values. */
export type PlainKey =
  | 'account.title'
  | 'account.account'
  | 'account.account.wallet'
  | 'account.look'
  | 'account.language'
  | 'account.theme'
  | 'account.theme.system'
  | 'account.theme.light'
  | 'account.theme.dark'
  | 'account.zone'
  | 'account.zone.utc'
  | 'account.here'
  | 'account.tokens'
  | 'account.tokens.what'
  | 'account.tokens.link'
  | 'account.news'
  | 'account.news.what'
  | 'account.news.on'
  | 'account.news.off'
  | 'account.news.blocked'
  | 'account.news.unsupported'
  | 'account.news.turnOn'
  | 'account.news.turnOff'
  | 'acknowledge.unlimited'
  | 'acknowledge.reason'
  | 'acknowledge.reason.hint'
  | 'acknowledge.reason.empty'
  | 'acknowledge.typed.other'
  | 'acknowledge.typed.THRESHOLD-DOWN'
  | 'acknowledge.typed.OWNER-QUORUM-UNKNOWN'
  | 'acknowledge.typed.MODULE-ENABLE'
  | 'acknowledge.typed.GUARD-SET'
  | 'acknowledge.typed.MODGUARD-CHANGE'
  | 'acknowledge.typed.HANDLER-UNKNOWN'
  | 'acknowledge.typed.DOMAIN-VERIFIER'
  | 'acknowledge.typed.OWNERSHIP-TRANSFER'
  | 'acknowledge.typed.PROXY-UPGRADE'
  | 'acknowledge.typed.ROLE-CHANGE'
  | 'acknowledge.typed.RENOUNCE'
  | 'acknowledge.typed.CREATION-OWNERS'
  | 'acknowledge.typed.GAS-REFUND'
  | 'acknowledge.typed.NESTED-REFUND'
  | 'acknowledge.typed.SLOT0-OFFICIAL'
  | 'acknowledge.missing.title'
  | 'acknowledge.missing.abi'
  | 'acknowledge.missing.node'
  | 'acknowledge.missing.retry'
  | 'acknowledge.CODE-CREATE.less'
  | 'acknowledge.BATCH-REVERT'
  | 'acknowledge.RECEIVER-OTHER.nobody'
  | 'acknowledge.MSG-PERMANENT'
  | 'acknowledge.SIWE-PARSE'
  | 'acknowledge.typed.DECODE-NONE'
  | 'acknowledge.SIM-BY-NODE'
  | 'acknowledge.SIM-REVERT'
  | 'alive.title'
  | 'alive.what'
  | 'alive.loading'
  | 'alive.verifying'
  | 'alive.more'
  | 'alive.empty'
  | 'alive.empty.sentence'
  | 'alive.notMember'
  | 'alive.source'
  | 'alive.guard'
  | 'alive.stateless'
  | 'alive.nonce.next'
  | 'alive.nonce.cancel'
  | 'alive.nonce.cancelled'
  | 'alive.deleted'
  | 'alive.deleted.sentence'
  | 'alive.open'
  | 'alive.reviewing'
  | 'alive.reach.enough'
  | 'alive.reach.one'
  | 'alive.reach.message.enough'
  | 'alive.counted'
  | 'alive.former'
  | 'alive.together.by'
  | 'alive.together.cut'
  | 'alive.messages'
  | 'alive.messages.sentence'
  | 'alive.messages.noHandler'
  | 'alive.message.onChain'
  | 'alive.hashes'
  | 'alive.hashes.sentence'
  | 'alive.hash.onChain'
  | 'alive.hash.approved'
  | 'alive.accounts'
  | 'alive.accounts.former'
  | 'alive.here.only'
  | 'alive.here.none'
  | 'alive.here.all'
  | 'app.name'
  | 'app.skip'
  | 'app.footer'
  | 'app.footer.chains'
  | 'app.footer.licences'
  | 'app.notFound.title'
  | 'app.notFound.home'
  | 'app.crash.retry'
  | 'app.needsJavaScript'
  | 'app.notLoaded'
  | 'app.loading'
  | 'app.configuration.loading'
  | 'app.configuration.noChains.title'
  | 'app.configuration.noChains.sentence'
  | 'app.chain.unreachable.sentence'
  | 'app.offline'
  | 'app.offline.sentence'
  | 'app.newVersion'
  | 'end.none'
  | 'end.never'
  | 'live.live'
  | 'live.live.title'
  | 'live.connecting'
  | 'live.connecting.title'
  | 'live.offline'
  | 'live.offline.title'
  | 'copy.copy'
  | 'copy.done'
  | 'copy.failed'
  | 'dialog.close'
  | 'link.newTab'
  | 'problem.unexpected'
  | 'problem.unexpected.hint'
  | 'problem.retry'
  | 'field.address.empty'
  | 'code.hash'
  | 'page.above'
  | 'problem.told'
  | 'toast.region'
  | 'toast.dismiss'
  | 'assets.title'
  | 'assets.aside'
  | 'assets.overTime'
  | 'assets.listed'
  | 'assets.listed.loading'
  | 'assets.moved.loading'
  | 'assets.stale.sentence'
  | 'assets.notAdded'
  | 'assets.unlisted'
  | 'assets.unlisted.sentence'
  | 'assets.unlisted.none'
  | 'assets.more'
  | 'assets.tag.unlisted'
  | 'assets.baseUnits'
  | 'assets.ownUnits'
  | 'assets.noDecimals'
  | 'assets.claims.none'
  | 'assets.no-contract'
  | 'assets.failed'
  | 'assets.unread'
  | 'assets.items'
  | 'assets.items.ids'
  | 'assets.balances'
  | 'assets.all'
  | 'balances.loading'
  | 'balances.asset'
  | 'balances.period'
  | 'balances.period.all'
  | 'balances.period.365'
  | 'balances.period.90'
  | 'balances.period.30'
  | 'balances.marked'
  | 'balances.none'
  | 'balances.reading'
  | 'balances.reading.sentence'
  | 'balances.before'
  | 'balances.missing'
  | 'balances.agree'
  | 'balances.agree.unexplained'
  | 'balances.table'
  | 'balances.table.time'
  | 'balances.table.block'
  | 'balances.table.balance'
  | 'balances.table.change'
  | 'balances.table.unexplained'
  | 'book.title'
  | 'book.what'
  | 'book.names'
  | 'book.names.loading'
  | 'book.names.empty'
  | 'book.names.empty.sentence'
  | 'book.names.alike'
  | 'book.search'
  | 'book.by'
  | 'book.by.you'
  | 'book.by.noOwner'
  | 'book.endorse'
  | 'book.endorse.yes'
  | 'book.endorse.no'
  | 'book.sign'
  | 'book.sign.yes'
  | 'book.signing'
  | 'book.unsigned'
  | 'book.name.sign'
  | 'book.add'
  | 'book.import'
  | 'book.rename'
  | 'book.address'
  | 'book.name'
  | 'book.name.hint'
  | 'book.name.missing'
  | 'book.save'
  | 'book.save.busy'
  | 'book.remove'
  | 'book.remove.busy'
  | 'book.remove.yes'
  | 'book.cancel'
  | 'book.readOnly'
  | 'book.abis'
  | 'book.abis.what'
  | 'book.abis.loading'
  | 'book.abis.empty'
  | 'book.abis.empty.sentence'
  | 'book.abi.add'
  | 'book.abi.contract'
  | 'book.abi.name'
  | 'book.abi.json'
  | 'book.abi.json.hint'
  | 'book.abi.json.missing'
  | 'book.abi.save'
  | 'book.abi.endorse.sure'
  | 'book.abi.unsigned'
  | 'book.notes'
  | 'book.notes.what'
  | 'book.notes.loading'
  | 'book.notes.empty'
  | 'book.note.label'
  | 'book.note.missing'
  | 'book.note.add'
  | 'book.note.busy'
  | 'book.note.remove'
  | 'activity.title'
  | 'activity.list'
  | 'activity.what'
  | 'activity.loading'
  | 'activity.empty'
  | 'activity.empty.sentence'
  | 'activity.export'
  | 'activity.more'
  | 'activity.broken'
  | 'activity.broken.title'
  | 'activity.newest'
  | 'activity.detail.transactionHash'
  | 'activity.detail.executor'
  | 'activity.detail.owner'
  | 'activity.detail.label'
  | 'activity.detail.delegate'
  | 'activity.detail.delegator'
  | 'activity.detail.expiryDate'
  | 'activity.detail.account'
  | 'activity.detail.safeMessageHash'
  | 'activity.detail.safeTxHash'
  | 'activity.detail.address'
  | 'activity.detail.author'
  | 'activity.detail.name'
  | 'activity.detail.text'
  | 'activity.detail.contract'
  | 'activity.detail.signer'
  | 'activity.detail.otherSafeTxHash'
  | 'activity.detail.code'
  | 'activity.detail.signInCode'
  | 'activity.detail.proposer'
  | 'activity.detail.proposedByDelegate'
  | 'activity.detail.nonce'
  | 'activity.detail.to'
  | 'activity.detail.value'
  | 'activity.detail.operation'
  | 'activity.detail.dataHash'
  | 'activity.detail.confirmedBy'
  | 'activity.detail.confirmations'
  | 'activity.detail.confirmationsRequired'
  | 'activity.detail.isSuccessful'
  | 'activity.detail.host'
  | 'activity.detail.events'
  | 'activity.detail.owner-added'
  | 'activity.detail.owner-removed'
  | 'activity.detail.threshold-changed'
  | 'activity.detail.module-enabled'
  | 'activity.detail.module-disabled'
  | 'activity.detail.guard-changed'
  | 'activity.detail.module-guard-changed'
  | 'activity.detail.fallback-handler-changed'
  | 'activity.detail.singleton-changed'
  | 'activity.detail.number'
  | 'activity.detail.policyHash'
  | 'activity.detail.approvals'
  | 'activity.detail.approvalsRequired'
  | 'activity.detail.kind'
  | 'activity.detail.packHash'
  | 'activity.detail.unsignedSince'
  | 'activity.no'
  | 'activity.operation.0'
  | 'activity.operation.1'
  | 'activity.verb.signed-in'
  | 'activity.verb.signed-out'
  | 'activity.verb.revoked-session'
  | 'activity.verb.made-token'
  | 'activity.verb.revoked-token'
  | 'activity.verb.added-safe'
  | 'activity.verb.proposed'
  | 'activity.verb.confirmed'
  | 'activity.verb.deleted'
  | 'activity.verb.sent'
  | 'activity.verb.sent-elsewhere'
  | 'activity.verb.stopped-reading'
  | 'activity.verb.resumed-reading'
  | 'activity.verb.executed'
  | 'activity.verb.reverted'
  | 'activity.verb.changed-settings'
  | 'activity.verb.reverted-settings'
  | 'activity.verb.proposed-message'
  | 'activity.verb.confirmed-message'
  | 'activity.verb.deleted-message'
  | 'activity.verb.named-proposer'
  | 'activity.verb.removed-proposer'
  | 'activity.verb.invited-viewer'
  | 'activity.verb.removed-viewer'
  | 'activity.verb.created-webhook'
  | 'activity.verb.removed-webhook'
  | 'activity.verb.disabled-webhook'
  | 'activity.verb.named-address'
  | 'activity.verb.endorsed-name'
  | 'activity.verb.removed-name'
  | 'activity.verb.gave-abi'
  | 'activity.verb.endorsed-abi'
  | 'activity.verb.removed-abi'
  | 'activity.verb.proposed-policy'
  | 'activity.verb.approved-policy'
  | 'activity.verb.withdrew-policy-entry'
  | 'activity.verb.discarded-policy'
  | 'activity.verb.noted'
  | 'activity.verb.attached-pack'
  | 'activity.verb.removed-pack'
  | 'activity.verb.removed-note'
  | 'activity.verb.shared-draft'
  | 'activity.verb.removed-draft'
  | 'activity.verb.refused-signature'
  | 'activity.verb.refused-sign-in'
  | 'activity.verb.ended-access'
  | 'activity.verb.acknowledged-alarm'
  | 'bring.title'
  | 'bring.from'
  | 'bring.what'
  | 'bring.paste'
  | 'bring.hint'
  | 'bring.choose'
  | 'bring.onlyThere.sentence'
  | 'bring.onlyThere.go'
  | 'bring.there.outcome.there'
  | 'bring.there.outcome.taken'
  | 'bring.beyond.reading'
  | 'bring.submit'
  | 'bring.leftOut'
  | 'bring.otherSafe'
  | 'bring.otherHash'
  | 'bring.unsigned'
  | 'bring.names'
  | 'bring.names.what'
  | 'bring.names.choose'
  | 'bring.names.not'
  | 'bring.names.line.empty'
  | 'bring.names.line.quotes'
  | 'bring.names.submit'
  | 'bring.choose.json'
  | 'bring.messages'
  | 'bring.messages.what'
  | 'bring.messages.submit'
  | 'bring.messages.otherSafe'
  | 'bring.delegates'
  | 'bring.delegates.what'
  | 'bring.delegates.ofAll'
  | 'bring.delegates.ofThis'
  | 'bring.delegates.submit'
  | 'bring.safes.what'
  | 'bring.safes.not'
  | 'bring.safes.submit'
  | 'finding.DC-UNKNOWN'
  | 'finding.DC-UNKNOWN.meaning'
  | 'finding.DC-UNKNOWN.action'
  | 'finding.DC-WRONG-SELECTOR'
  | 'finding.DC-WRONG-SELECTOR.meaning'
  | 'finding.DC-WRONG-SELECTOR.action'
  | 'finding.DC-NO-CODE'
  | 'finding.DC-NO-CODE.meaning'
  | 'finding.DC-NO-CODE.action'
  | 'finding.DC-KNOWN-LIB'
  | 'finding.DC-KNOWN-LIB.meaning'
  | 'finding.DC-KNOWN-LIB.action'
  | 'finding.DC-VALUE-IGNORED'
  | 'finding.DC-VALUE-IGNORED.meaning'
  | 'finding.DC-VALUE-IGNORED.action'
  | 'finding.DC-MULTISEND-FULL'
  | 'finding.DC-MULTISEND-FULL.meaning'
  | 'finding.DC-MULTISEND-FULL.action'
  | 'finding.CODE-CREATE'
  | 'finding.CODE-CREATE.meaning'
  | 'finding.CODE-CREATE.action'
  | 'finding.MULTISEND-INNER-DC'
  | 'finding.MULTISEND-INNER-DC.meaning'
  | 'finding.MULTISEND-INNER-DC.action'
  | 'finding.SELECTOR-MASQUERADE'
  | 'finding.SELECTOR-MASQUERADE.meaning'
  | 'finding.SELECTOR-MASQUERADE.action'
  | 'finding.DECODE-NONE'
  | 'finding.DECODE-NONE.meaning'
  | 'finding.DECODE-NONE.action'
  | 'finding.DECODE-NONCANONICAL'
  | 'finding.DECODE-NONCANONICAL.meaning'
  | 'finding.DECODE-NONCANONICAL.action'
  | 'finding.DECODE-BUDGET'
  | 'finding.DECODE-BUDGET.meaning'
  | 'finding.DECODE-BUDGET.action'
  | 'finding.MULTISEND-MALFORMED'
  | 'finding.MULTISEND-MALFORMED.meaning'
  | 'finding.MULTISEND-MALFORMED.action'
  | 'finding.MULTISEND-ZERO-TO'
  | 'finding.MULTISEND-ZERO-TO.meaning'
  | 'finding.MULTISEND-ZERO-TO.action'
  | 'finding.BATCH-REVERT'
  | 'finding.BATCH-REVERT.meaning'
  | 'finding.BATCH-REVERT.action'
  | 'finding.DECODE-DESCRIBED'
  | 'finding.DECODE-DESCRIBED.meaning'
  | 'finding.DECODE-DESCRIBED.action'
  | 'finding.DECODE-GIVEN'
  | 'finding.DECODE-GIVEN.meaning'
  | 'finding.DECODE-GIVEN.action'
  | 'finding.SELECTOR-AMBIGUOUS'
  | 'finding.SELECTOR-AMBIGUOUS.meaning'
  | 'finding.SELECTOR-AMBIGUOUS.action'
  | 'finding.SLOT0-CHANGE'
  | 'finding.SLOT0-CHANGE.meaning'
  | 'finding.SLOT0-CHANGE.action'
  | 'finding.SLOT0-OFFICIAL'
  | 'finding.SLOT0-OFFICIAL.meaning'
  | 'finding.SLOT0-OFFICIAL.action'
  | 'finding.OWNER-ADD'
  | 'finding.OWNER-ADD.meaning'
  | 'finding.OWNER-ADD.action'
  | 'finding.OWNER-REMOVE'
  | 'finding.OWNER-REMOVE.meaning'
  | 'finding.OWNER-REMOVE.action'
  | 'finding.OWNER-SWAP'
  | 'finding.OWNER-SWAP.meaning'
  | 'finding.OWNER-SWAP.action'
  | 'finding.OWNER-SELF-REMOVED'
  | 'finding.OWNER-SELF-REMOVED.meaning'
  | 'finding.OWNER-SELF-REMOVED.action'
  | 'finding.OWNER-QUORUM-UNKNOWN'
  | 'finding.OWNER-QUORUM-UNKNOWN.meaning'
  | 'finding.OWNER-QUORUM-UNKNOWN.action'
  | 'finding.THRESHOLD-DOWN'
  | 'finding.THRESHOLD-DOWN.meaning'
  | 'finding.THRESHOLD-DOWN.action'
  | 'finding.THRESHOLD-ONE'
  | 'finding.THRESHOLD-ONE.meaning'
  | 'finding.THRESHOLD-ONE.action'
  | 'finding.THRESHOLD-LOCK'
  | 'finding.THRESHOLD-LOCK.meaning'
  | 'finding.THRESHOLD-LOCK.action'
  | 'finding.SETTINGS-REVERT'
  | 'finding.SETTINGS-REVERT.meaning'
  | 'finding.SETTINGS-REVERT.action'
  | 'finding.MODULE-ENABLE'
  | 'finding.MODULE-ENABLE.meaning'
  | 'finding.MODULE-ENABLE.action'
  | 'finding.MODULE-DISABLE'
  | 'finding.MODULE-DISABLE.meaning'
  | 'finding.MODULE-DISABLE.action'
  | 'finding.GUARD-SET'
  | 'finding.GUARD-SET.meaning'
  | 'finding.GUARD-SET.action'
  | 'finding.GUARD-REMOVE'
  | 'finding.GUARD-REMOVE.meaning'
  | 'finding.GUARD-REMOVE.action'
  | 'finding.MODGUARD-CHANGE'
  | 'finding.MODGUARD-CHANGE.meaning'
  | 'finding.MODGUARD-CHANGE.action'
  | 'finding.HANDLER-UNKNOWN'
  | 'finding.HANDLER-UNKNOWN.meaning'
  | 'finding.HANDLER-UNKNOWN.action'
  | 'finding.HANDLER-CHANGE'
  | 'finding.HANDLER-CHANGE.meaning'
  | 'finding.HANDLER-CHANGE.action'
  | 'finding.HANDLER-ZERO'
  | 'finding.HANDLER-ZERO.meaning'
  | 'finding.HANDLER-ZERO.action'
  | 'finding.DOMAIN-VERIFIER'
  | 'finding.DOMAIN-VERIFIER.meaning'
  | 'finding.DOMAIN-VERIFIER.action'
  | 'finding.APPROVE-UNLIMITED'
  | 'finding.APPROVE-UNLIMITED.meaning'
  | 'finding.APPROVE-UNLIMITED.action'
  | 'finding.APPROVE-OVER-BALANCE'
  | 'finding.APPROVE-OVER-BALANCE.meaning'
  | 'finding.APPROVE-OVER-BALANCE.action'
  | 'finding.APPROVE-EOA'
  | 'finding.APPROVE-EOA.meaning'
  | 'finding.APPROVE-EOA.action'
  | 'finding.APPROVE-ANYBODY'
  | 'finding.APPROVE-ANYBODY.meaning'
  | 'finding.APPROVE-ANYBODY.action'
  | 'finding.NFT-APPROVE'
  | 'finding.NFT-APPROVE.meaning'
  | 'finding.NFT-APPROVE.action'
  | 'finding.APPROVE-ALL-NFT'
  | 'finding.APPROVE-ALL-NFT.meaning'
  | 'finding.APPROVE-ALL-NFT.action'
  | 'finding.ORDER-SIGN'
  | 'finding.ORDER-SIGN.meaning'
  | 'finding.ORDER-SIGN.action'
  | 'finding.SPENDING-RIGHT'
  | 'finding.SPENDING-RIGHT.meaning'
  | 'finding.SPENDING-RIGHT.action'
  | 'finding.TOKEN-MOVE'
  | 'finding.TOKEN-MOVE.meaning'
  | 'finding.TOKEN-MOVE.action'
  | 'finding.RECEIVER-OTHER'
  | 'finding.RECEIVER-OTHER.meaning'
  | 'finding.RECEIVER-OTHER.action'
  | 'finding.BRIDGE-RECEIVER'
  | 'finding.BRIDGE-RECEIVER.meaning'
  | 'finding.BRIDGE-RECEIVER.action'
  | 'finding.NAME-CONTENT'
  | 'finding.NAME-CONTENT.meaning'
  | 'finding.NAME-CONTENT.action'
  | 'finding.SWAP-LOW-MINIMUM'
  | 'finding.SWAP-LOW-MINIMUM.meaning'
  | 'finding.SWAP-LOW-MINIMUM.action'
  | 'finding.SWAP-HIGH-MAXIMUM'
  | 'finding.SWAP-HIGH-MAXIMUM.meaning'
  | 'finding.SWAP-HIGH-MAXIMUM.action'
  | 'finding.SWAP-BELOW-PAR'
  | 'finding.SWAP-BELOW-PAR.meaning'
  | 'finding.SWAP-BELOW-PAR.action'
  | 'finding.SWAP-WORTH-LESS'
  | 'finding.SWAP-WORTH-LESS.meaning'
  | 'finding.SWAP-WORTH-LESS.action'
  | 'finding.POOL-OFF-PRICE'
  | 'finding.POOL-OFF-PRICE.meaning'
  | 'finding.POOL-OFF-PRICE.action'
  | 'finding.SWAP-NO-MINIMUM'
  | 'finding.SWAP-NO-MINIMUM.meaning'
  | 'finding.SWAP-NO-MINIMUM.action'
  | 'finding.SWAP-UNLISTED'
  | 'finding.SWAP-UNLISTED.meaning'
  | 'finding.SWAP-UNLISTED.action'
  | 'finding.TOKEN-TO-ITSELF'
  | 'finding.TOKEN-TO-ITSELF.meaning'
  | 'finding.TOKEN-TO-ITSELF.action'
  | 'finding.TOKEN-DATA'
  | 'finding.TOKEN-DATA.meaning'
  | 'finding.TOKEN-DATA.action'
  | 'finding.VALIDATOR-KEY'
  | 'finding.VALIDATOR-KEY.meaning'
  | 'finding.VALIDATOR-KEY.action'
  | 'finding.TOKEN-UNLISTED'
  | 'finding.TOKEN-UNLISTED.meaning'
  | 'finding.TOKEN-UNLISTED.action'
  | 'finding.TOKEN-HOMOGLYPH'
  | 'finding.TOKEN-HOMOGLYPH.meaning'
  | 'finding.TOKEN-HOMOGLYPH.action'
  | 'finding.BALANCE-EXCEEDED'
  | 'finding.BALANCE-EXCEEDED.meaning'
  | 'finding.BALANCE-EXCEEDED.action'
  | 'finding.VALUE-DRAIN'
  | 'finding.VALUE-DRAIN.meaning'
  | 'finding.VALUE-DRAIN.action'
  | 'finding.OTHER-DRAINED'
  | 'finding.OTHER-DRAINED.meaning'
  | 'finding.OTHER-DRAINED.action'
  | 'finding.OWNERSHIP-TRANSFER'
  | 'finding.OWNERSHIP-TRANSFER.meaning'
  | 'finding.OWNERSHIP-TRANSFER.action'
  | 'finding.PROXY-UPGRADE'
  | 'finding.PROXY-UPGRADE.meaning'
  | 'finding.PROXY-UPGRADE.action'
  | 'finding.ROLE-CHANGE'
  | 'finding.ROLE-CHANGE.meaning'
  | 'finding.ROLE-CHANGE.action'
  | 'finding.RECOVERY-CHANGE'
  | 'finding.RECOVERY-CHANGE.meaning'
  | 'finding.RECOVERY-CHANGE.action'
  | 'finding.DEPLOY-SETUP-DELEGATE'
  | 'finding.DEPLOY-SETUP-DELEGATE.meaning'
  | 'finding.DEPLOY-SETUP-DELEGATE.action'
  | 'finding.CREATION-FACTORY'
  | 'finding.CREATION-FACTORY.meaning'
  | 'finding.CREATION-FACTORY.action'
  | 'finding.CREATION-ADDRESS'
  | 'finding.CREATION-ADDRESS.meaning'
  | 'finding.CREATION-ADDRESS.action'
  | 'finding.CREATION-ELSEWHERE'
  | 'finding.CREATION-ELSEWHERE.meaning'
  | 'finding.CREATION-ELSEWHERE.action'
  | 'finding.CREATION-ONE-SIGNATURE'
  | 'finding.CREATION-ONE-SIGNATURE.meaning'
  | 'finding.CREATION-ONE-SIGNATURE.action'
  | 'finding.CREATION-ALL-OWNERS'
  | 'finding.CREATION-ALL-OWNERS.meaning'
  | 'finding.CREATION-ALL-OWNERS.action'
  | 'finding.CREATION-TOO-LARGE'
  | 'finding.CREATION-TOO-LARGE.meaning'
  | 'finding.CREATION-TOO-LARGE.action'
  | 'finding.CREATION-UNNAMED'
  | 'finding.CREATION-UNNAMED.meaning'
  | 'finding.CREATION-UNNAMED.action'
  | 'finding.CREATION-OWNERS'
  | 'finding.CREATION-OWNERS.meaning'
  | 'finding.CREATION-OWNERS.action'
  | 'finding.SETUP-AGAIN'
  | 'finding.SETUP-AGAIN.meaning'
  | 'finding.SETUP-AGAIN.action'
  | 'finding.RENOUNCE'
  | 'finding.RENOUNCE.meaning'
  | 'finding.RENOUNCE.action'
  | 'finding.NESTED-APPROVE'
  | 'finding.NESTED-APPROVE.meaning'
  | 'finding.NESTED-APPROVE.action'
  | 'finding.EXEC-AS-MODULE'
  | 'finding.EXEC-AS-MODULE.meaning'
  | 'finding.EXEC-AS-MODULE.action'
  | 'finding.CALL-NO-CODE'
  | 'finding.CALL-NO-CODE.meaning'
  | 'finding.CALL-NO-CODE.action'
  | 'finding.RECIPIENT-7702'
  | 'finding.RECIPIENT-7702.meaning'
  | 'finding.RECIPIENT-7702.action'
  | 'finding.VALUE-HIDDEN'
  | 'finding.VALUE-HIDDEN.meaning'
  | 'finding.VALUE-HIDDEN.action'
  | 'finding.ADDR-LOOKALIKE'
  | 'finding.ADDR-LOOKALIKE.meaning'
  | 'finding.ADDR-LOOKALIKE.action'
  | 'finding.CODE-UNFAMILIAR'
  | 'finding.CODE-UNFAMILIAR.meaning'
  | 'finding.CODE-UNFAMILIAR.action'
  | 'finding.ARGUMENT-UNFAMILIAR'
  | 'finding.ARGUMENT-UNFAMILIAR.meaning'
  | 'finding.ARGUMENT-UNFAMILIAR.action'
  | 'finding.ADDR-NEW'
  | 'finding.ADDR-NEW.meaning'
  | 'finding.ADDR-NEW.action'
  | 'finding.ADDR-YOUNG-CODE'
  | 'finding.ADDR-YOUNG-CODE.meaning'
  | 'finding.ADDR-YOUNG-CODE.action'
  | 'finding.TOKEN-DECIMALS'
  | 'finding.TOKEN-DECIMALS.meaning'
  | 'finding.TOKEN-DECIMALS.action'
  | 'chains.title'
  | 'chains.aside'
  | 'chains.loading'
  | 'chains.standing.up-to-date'
  | 'chains.standing.behind'
  | 'chains.standing.reading-past'
  | 'chains.standing.starting'
  | 'chains.standing.silent'
  | 'chains.standing.failing'
  | 'chains.standing.unreachable'
  | 'chains.standing.wrong-chain'
  | 'chains.standing.disagreement'
  | 'chains.standing.stopped'
  | 'chains.outbound'
  | 'chains.outbound.what'
  | 'chains.outbound.wallet-connect'
  | 'chains.outbound.coinbase'
  | 'chains.outbound.webhooks'
  | 'chains.outbound.by.server'
  | 'chains.outbound.by.browsers'
  | 'chains.outbound.never'
  | 'chains.reload'
  | 'chains.reload.what'
  | 'chains.reload.button'
  | 'chains.reload.busy'
  | 'chains.reload.done'
  | 'chains.findings'
  | 'chains.findings.what'
  | 'chains.findings.button'
  | 'chains.findings.busy'
  | 'chains.findings.good'
  | 'chains.findings.notice'
  | 'chains.findings.fault'
  | 'chains.sources'
  | 'chains.sources.hint'
  | 'chains.mode'
  | 'chains.mode.tracked'
  | 'chains.mode.tracked.hint'
  | 'chains.mode.whole-chain'
  | 'chains.mode.whole-chain.hint'
  | 'chains.cursor'
  | 'chains.head'
  | 'chains.block.none'
  | 'chains.lag'
  | 'chains.lag.none'
  | 'chains.backfill'
  | 'chains.backfill.none'
  | 'chains.discovery'
  | 'chains.discovery.none'
  | 'chains.stopped'
  | 'chains.stopped.how'
  | 'chains.disagreement'
  | 'chains.unreachable'
  | 'chains.unreachable.sentence'
  | 'chains.wrong-chain'
  | 'chains.wrong-chain.sentence'
  | 'chains.failing'
  | 'chains.silent'
  | 'following.past.unknown'
  | 'following.past.sentence'
  | 'following.still.unknown'
  | 'following.more'
  | 'chains.nodes'
  | 'chains.nodes.hint'
  | 'chains.nodes.none'
  | 'chains.limit.log-address'
  | 'chains.limit.answer-size'
  | 'chains.limit.traces'
  | 'chains.limit.proofs'
  | 'chains.limit.overrides'
  | 'chains.limit.simulation'
  | 'chains.limit.elsewhere'
  | 'chains.limit.remedy.log-range'
  | 'chains.limit.remedy.log-results'
  | 'chains.limit.remedy.log-address'
  | 'chains.limit.remedy.log-addresses'
  | 'chains.limit.remedy.log-topics'
  | 'chains.limit.remedy.answer-size'
  | 'chains.limit.remedy.batch'
  | 'chains.limit.remedy.rate'
  | 'chains.limit.remedy.archive'
  | 'chains.limit.remedy.traces'
  | 'chains.limit.remedy.proofs'
  | 'chains.limit.remedy.overrides'
  | 'chains.limit.remedy.simulation'
  | 'chains.outbound.token-list'
  | 'chains.lists'
  | 'chains.lists.what'
  | 'chains.lists.none'
  | 'chains.lists.release'
  | 'chains.lists.tokens.none'
  | 'chains.lists.old'
  | 'chains.lists.fault.kept'
  | 'chains.lists.fault.none'
  | 'chains.lists.fault.unreachable'
  | 'chains.lists.fault.too-large'
  | 'chains.lists.fault.too-many'
  | 'chains.lists.fault.not-json'
  | 'chains.lists.fault.no-list'
  | 'following.stopped'
  | 'following.stop'
  | 'following.goOn'
  | 'following.changing'
  | 'chains.outbound.prices'
  | 'chains.prices'
  | 'chains.prices.none'
  | 'chains.prices.fault.unreachable'
  | 'chains.prices.fault.status'
  | 'chains.prices.fault.too-large'
  | 'chains.prices.fault.not-json'
  | 'chains.prices.fault.no-prices'
  | 'chains.prices.fault.too-many'
  | 'chains.prices.fault.currency'
  | 'chains.prices.fault.unread'
  | 'chains.prices.fault.absurd'
  | 'chains.prices.fault.stale'
  | 'chains.prices.fault.pair'
  | 'chains.prices.fault.too-young'
  | 'chains.prices.fault.empty'
  | 'chains.prices.fault.moved'
  | 'chains.prices.fault.no-quote'
  | 'signOnChain.title'
  | 'signOnChain.what'
  | 'signOnChain.unreadable'
  | 'signOnChain.noLibrary'
  | 'again.title'
  | 'again.unknown'
  | 'again.swap'
  | 'again.swap.none'
  | 'again.swap.hint'
  | 'again.swap.what'
  | 'compose.group.pay'
  | 'compose.group.call'
  | 'compose.group.owners'
  | 'compose.group.contracts'
  | 'compose.group.limits'
  | 'compose.kind.transfer'
  | 'compose.kind.item'
  | 'compose.kind.function'
  | 'compose.kind.call'
  | 'compose.kind.add-owner'
  | 'compose.kind.swap-owner'
  | 'compose.kind.remove-owner'
  | 'compose.kind.change-threshold'
  | 'compose.kind.enable-module'
  | 'compose.kind.disable-module'
  | 'compose.kind.set-guard'
  | 'compose.kind.set-module-guard'
  | 'compose.kind.set-handler'
  | 'compose.kind.upgrade'
  | 'compose.kind.set-limit'
  | 'compose.kind.reset-limit'
  | 'compose.kind.delete-limit'
  | 'compose.batch'
  | 'compose.add.payment'
  | 'compose.add.call'
  | 'compose.add.settings'
  | 'compose.add.title'
  | 'compose.edit'
  | 'compose.close'
  | 'compose.duplicate'
  | 'compose.remove'
  | 'compose.max'
  | 'compose.recipient.hint'
  | 'compose.ownSafe'
  | 'compose.paidBefore'
  | 'compose.standard'
  | 'compose.standard.erc721'
  | 'compose.standard.erc1155'
  | 'compose.collection'
  | 'compose.tokenId'
  | 'compose.item.none'
  | 'compose.item.unread'
  | 'compose.whole.empty'
  | 'compose.owner.leaves'
  | 'compose.owner.joins'
  | 'compose.owner.choose'
  | 'compose.owner.hint'
  | 'compose.threshold'
  | 'compose.module'
  | 'compose.module.choose'
  | 'compose.module.none'
  | 'compose.module.hint'
  | 'compose.place'
  | 'compose.place.other'
  | 'compose.place.none'
  | 'compose.place.now.none'
  | 'compose.guard'
  | 'compose.moduleGuard'
  | 'compose.handler'
  | 'compose.guard.hint'
  | 'compose.handler.hint'
  | 'compose.handler.keep'
  | 'compose.version'
  | 'compose.code'
  | 'compose.code.l2'
  | 'compose.code.plain'
  | 'compose.code.hint'
  | 'compose.upgrade.by'
  | 'compose.limit.module'
  | 'compose.limit.module.hint'
  | 'compose.limit.module.none'
  | 'compose.limit.delegate'
  | 'compose.limit.period'
  | 'compose.limit.now'
  | 'compose.limit.afterwards'
  | 'compose.limit.none'
  | 'compose.limit.kept'
  | 'compose.limit.unread'
  | 'compose.abi'
  | 'compose.abi.hint'
  | 'compose.abi.example'
  | 'compose.abi.empty'
  | 'compose.abi.none'
  | 'compose.abi.from'
  | 'compose.abi.pasted'
  | 'compose.abi.code.hint'
  | 'compose.choice.none'
  | 'compose.choice.hint'
  | 'compose.function'
  | 'compose.function.choose'
  | 'compose.function.none'
  | 'compose.function.large'
  | 'compose.operation'
  | 'compose.operation.call'
  | 'compose.operation.delegatecall'
  | 'compose.operation.hint'
  | 'compose.operation.delegatecall.hint'
  | 'compose.bool.true'
  | 'compose.bool.false'
  | 'compose.number.hint'
  | 'compose.element.add'
  | 'compose.value.not-a-bool'
  | 'compose.value.no-coin'
  | 'compose.value.half-character'
  | 'compose.file'
  | 'compose.file.paste'
  | 'compose.file.hint'
  | 'compose.file.choose'
  | 'compose.file.take'
  | 'compose.file.save'
  | 'compose.file.save.draft'
  | 'compose.file.checksum'
  | 'compose.list'
  | 'compose.list.paste'
  | 'compose.list.hint'
  | 'compose.list.take'
  | 'compose.list.empty'
  | 'compose.list.faults.label'
  | 'compose.list.check'
  | 'compose.list.reading'
  | 'compose.list.quotes'
  | 'compose.list.split'
  | 'payout.failing.remedy'
  | 'payout.transactions'
  | 'payout.unmeasured'
  | 'payout.sign'
  | 'payout.standing.asking'
  | 'payout.standing.open'
  | 'payout.standing.lost'
  | 'payout.standing.replaced'
  | 'payout.standing.proposed'
  | 'payout.standing.executed'
  | 'payout.standing.failed'
  | 'payout.lost'
  | 'payout.replaced'
  | 'payout.aside'
  | 'payout.open'
  | 'payout.discard'
  | 'payout.discard.sentence'
  | 'payout.keep'
  | 'drafts.title'
  | 'drafts.empty'
  | 'drafts.template'
  | 'drafts.use'
  | 'drafts.remove'
  | 'drafts.name'
  | 'drafts.name.missing'
  | 'drafts.kind'
  | 'drafts.kind.draft'
  | 'drafts.kind.template'
  | 'drafts.share'
  | 'drafts.share.busy'
  | 'drafts.share.hint'
  | 'drafts.loading'
  | 'drafts.kept'
  | 'drafts.kept.tab'
  | 'drafts.unfinished'
  | 'drafts.unfinished.goOn'
  | 'drafts.unfinished.discard'
  | 'drafts.unfinished.aside'
  | 'compose.change'
  | 'compose.change.modules'
  | 'compose.change.guard'
  | 'compose.change.moduleGuard'
  | 'compose.change.fallbackHandler'
  | 'compose.change.none'
  | 'compose.change.mark.now'
  | 'compose.change.mark.afterwards'
  | 'compose.live'
  | 'compose.live.title'
  | 'compose.live.open'
  | 'compose.live.moves'
  | 'compose.live.unlisted'
  | 'compose.live.gas'
  | 'compose.live.size'
  | 'compose.later.back'
  | 'compose.live.next'
  | 'compose.noLibrary'
  | 'compose.library.unread'
  | 'compose.sent'
  | 'compose.sent.sentence'
  | 'compose.sent.open'
  | 'compose.sent.new'
  | 'compose.reading'
  | 'compose.fit.asking'
  | 'compose.problem.zero-address'
  | 'compose.problem.token-itself'
  | 'compose.problem.safe-itself'
  | 'compose.problem.amount-zero'
  | 'compose.problem.amount-too-large'
  | 'compose.problem.does-nothing'
  | 'compose.problem.owner-reserved'
  | 'compose.problem.owner-there'
  | 'compose.problem.owner-missing'
  | 'compose.problem.last-owner'
  | 'compose.problem.threshold-zero'
  | 'compose.problem.module-reserved'
  | 'compose.problem.module-there'
  | 'compose.problem.module-missing'
  | 'compose.problem.place-reserved'
  | 'compose.problem.unchanged'
  | 'compose.problem.unofficial-version'
  | 'compose.problem.no-migration'
  | 'compose.problem.not-alone'
  | 'compose.problem.foreign-code'
  | 'compose.problem.value-stays'
  | 'compose.problem.period-too-long'
  | 'drafts.gone'
  | 'create.title'
  | 'create.what'
  | 'create.name'
  | 'create.name.hint'
  | 'create.chains'
  | 'create.chains.hint'
  | 'create.chains.none'
  | 'create.owners'
  | 'create.owner.add'
  | 'create.owner.twice'
  | 'create.owner.reserved'
  | 'create.threshold'
  | 'create.more'
  | 'create.release'
  | 'create.release.loading'
  | 'create.release.none'
  | 'create.known'
  | 'create.known.what'
  | 'create.known.chain'
  | 'create.known.hash'
  | 'create.known.button'
  | 'create.known.busy'
  | 'create.known.unknown'
  | 'create.known.none'
  | 'create.known.one-chain'
  | 'create.given'
  | 'create.given.what'
  | 'create.given.chain'
  | 'create.given.text'
  | 'create.given.hint'
  | 'create.given.file'
  | 'create.given.button'
  | 'create.given.none'
  | 'create.given.elsewhere'
  | 'create.salt'
  | 'create.salt.hint'
  | 'create.salt.wrong'
  | 'create.review'
  | 'create.back'
  | 'create.address'
  | 'create.checking'
  | 'create.contracts'
  | 'create.contract.factory'
  | 'create.contract.singleton'
  | 'create.contract.handler'
  | 'create.contract.runs'
  | 'create.contract.other'
  | 'create.button'
  | 'create.busy.checking'
  | 'create.busy.estimating'
  | 'create.busy.wallet'
  | 'create.later.button'
  | 'create.later.busy'
  | 'create.later.explanation'
  | 'create.kept.title'
  | 'create.kept.sentence'
  | 'create.kept.share'
  | 'create.kept.propose'
  | 'create.kept.activate'
  | 'create.kept.close'
  | 'create.waiting'
  | 'create.replaced'
  | 'create.dropped'
  | 'create.reverted'
  | 'create.transactionHash'
  | 'create.filing'
  | 'create.created'
  | 'create.names.refused'
  | 'create.names.refused.sentence'
  | 'create.names.offered'
  | 'create.names.offered.sentence'
  | 'create.names.file'
  | 'create.names.discard'
  | 'create.open'
  | 'create.verdict.matches'
  | 'create.verdict.matches-with-warnings'
  | 'create.verdict.cannot-verify'
  | 'create.verdict.do-not-sign'
  | 'create.verdict.advice'
  | 'design.title'
  | 'design.light'
  | 'design.dark'
  | 'design.colours'
  | 'design.type'
  | 'design.type.display'
  | 'design.type.body'
  | 'design.buttons'
  | 'design.button.primary'
  | 'design.button.secondary'
  | 'design.button.quiet'
  | 'design.button.danger'
  | 'design.button.disabled'
  | 'design.button.busy'
  | 'design.facts'
  | 'design.address'
  | 'design.amount'
  | 'design.hash'
  | 'design.time'
  | 'design.owner'
  | 'design.notices'
  | 'design.notice.info'
  | 'design.notice.info.sentence'
  | 'design.notice.good'
  | 'design.notice.good.sentence'
  | 'design.notice.warning'
  | 'design.notice.warning.sentence'
  | 'design.notice.danger'
  | 'design.notice.danger.sentence'
  | 'design.marks'
  | 'design.frames'
  | 'design.acts'
  | 'design.plot'
  | 'design.states'
  | 'design.empty'
  | 'design.empty.sentence'
  | 'design.fields'
  | 'design.field.amount'
  | 'design.field.amount.hint'
  | 'design.field.recipient'
  | 'design.field.recipient.error'
  | 'design.field.token'
  | 'design.tags'
  | 'design.tag.neutral'
  | 'design.tag.good'
  | 'design.tag.warning'
  | 'design.tag.danger'
  | 'design.dialog'
  | 'design.dialog.open'
  | 'design.dialog.sentence'
  | 'device.title'
  | 'device.choose'
  | 'device.choose.none'
  | 'device.name.ledger'
  | 'device.name.ledger-clear'
  | 'device.name.trezor'
  | 'device.name.trezor-one'
  | 'device.name.keystone'
  | 'device.name.metamask'
  | 'device.name.rabby'
  | 'device.name.other'
  | 'device.none'
  | 'device.shown'
  | 'device.sometimes'
  | 'device.not-shown'
  | 'device.unknown'
  | 'device.compare'
  | 'device.compare.nothing'
  | 'device.compare.unknown'
  | 'device.software'
  | 'device.part.domainHash'
  | 'device.part.messageHash'
  | 'device.part.eip712Digest'
  | 'device.part.eip712Digest.message'
  | 'device.part.calldataDigest'
  | 'device.part.chainId'
  | 'device.part.safeAddress'
  | 'device.part.to'
  | 'device.part.value'
  | 'device.part.data'
  | 'device.part.operation'
  | 'device.part.nonce'
  | 'device.part.safeTxGas'
  | 'device.part.baseGas'
  | 'device.part.gasPrice'
  | 'device.part.gasToken'
  | 'device.part.refundReceiver'
  | 'device.part.callMeaning'
  | 'device.part.innerCalls'
  | 'device.part.message'
  | 'device.part.messageMeaning'
  | 'device.when.ledger'
  | 'device.when.ledger-clear'
  | 'device.when.trezor'
  | 'device.when.trezor-one'
  | 'device.when.keystone'
  | 'device.when.metamask'
  | 'device.when.rabby'
  | 'device.when.other'
  | 'execute.title'
  | 'execute.button'
  | 'execute.again'
  | 'execute.excess'
  | 'execute.oversized'
  | 'execute.fees'
  | 'execute.fees.several'
  | 'execute.fees.what'
  | 'execute.fees.most'
  | 'execute.fees.most.hint'
  | 'execute.fees.tip'
  | 'execute.fees.tip.hint'
  | 'execute.fees.tip.above'
  | 'execute.fees.gas'
  | 'execute.fees.gas.hint'
  | 'execute.fees.nonce'
  | 'execute.fees.nonce.hint'
  | 'execute.fees.malformed'
  | 'execute.fees.mend'
  | 'execute.step.checking'
  | 'execute.step.simulating'
  | 'execute.step.estimating'
  | 'execute.step.wallet'
  | 'execute.step.recording'
  | 'execute.waiting'
  | 'execute.waiting.closeable'
  | 'execute.slow'
  | 'execute.speedUp'
  | 'execute.speedUp.explanation'
  | 'execute.cancel'
  | 'execute.cancel.explanation'
  | 'execute.cancelled'
  | 'execute.sentBy'
  | 'execute.sentAt'
  | 'execute.executed'
  | 'execute.executed.waiting'
  | 'execute.inner-failed'
  | 'execute.reverted'
  | 'execute.replaced'
  | 'execute.dropped'
  | 'execute.unreadable'
  | 'execute.recordFailed'
  | 'execute.transactionHash'
  | 'execute.block'
  | 'execute.executor'
  | 'execute.date'
  | 'execute.fee'
  | 'execute.outside'
  | 'execute.gs.cause'
  | 'execute.gs.remedy'
  | 'execute.receipt'
  | 'execute.next'
  | 'execute.next.review'
  | 'execute.next.again'
  | 'execute.next.queue'
  | 'finding.EFFECTS-DIFFER'
  | 'finding.EFFECTS-DIFFER.meaning'
  | 'finding.EFFECTS-DIFFER.action'
  | 'finding.EFFECTS-IGNORED'
  | 'finding.EFFECTS-IGNORED.meaning'
  | 'finding.EFFECTS-IGNORED.action'
  | 'finding.EFFECTS-NOT-COMPARED'
  | 'finding.EFFECTS-NOT-COMPARED.meaning'
  | 'finding.EFFECTS-NOT-COMPARED.action'
  | 'finding.EFFECTS-AGREE'
  | 'finding.EFFECTS-AGREE.meaning'
  | 'finding.EFFECTS-AGREE.action'
  | 'finding.INPUT-MISSING'
  | 'finding.INPUT-MISSING.meaning'
  | 'finding.INPUT-MISSING.action'
  | 'finding.POLICY-BROKEN'
  | 'finding.POLICY-BROKEN.meaning'
  | 'finding.POLICY-BROKEN.action'
  | 'finding.POLICY-ROLLED-BACK'
  | 'finding.POLICY-ROLLED-BACK.meaning'
  | 'finding.POLICY-ROLLED-BACK.action'
  | 'finding.HASH-MISMATCH'
  | 'finding.HASH-MISMATCH.meaning'
  | 'finding.HASH-MISMATCH.action'
  | 'finding.HASH-CHAIN-MISMATCH'
  | 'finding.HASH-CHAIN-MISMATCH.meaning'
  | 'finding.HASH-CHAIN-MISMATCH.action'
  | 'finding.HASH-IMPL-MISMATCH'
  | 'finding.HASH-IMPL-MISMATCH.meaning'
  | 'finding.HASH-IMPL-MISMATCH.action'
  | 'finding.PROPOSAL-EDITED'
  | 'finding.PROPOSAL-EDITED.meaning'
  | 'finding.PROPOSAL-EDITED.action'
  | 'finding.OP-INVALID'
  | 'finding.OP-INVALID.meaning'
  | 'finding.OP-INVALID.action'
  | 'finding.RPC-CHAINID'
  | 'finding.RPC-CHAINID.meaning'
  | 'finding.RPC-CHAINID.action'
  | 'finding.SOURCES-DISAGREE'
  | 'finding.SOURCES-DISAGREE.meaning'
  | 'finding.SOURCES-DISAGREE.action'
  | 'finding.BLOCK-OLD'
  | 'finding.BLOCK-OLD.meaning'
  | 'finding.BLOCK-OLD.action'
  | 'finding.PROOF-WRONG'
  | 'finding.PROOF-WRONG.meaning'
  | 'finding.PROOF-WRONG.action'
  | 'finding.STATE-DIFFERS'
  | 'finding.STATE-DIFFERS.meaning'
  | 'finding.STATE-DIFFERS.action'
  | 'finding.SIG-MISMATCH'
  | 'finding.SIG-MISMATCH.meaning'
  | 'finding.SIG-MISMATCH.action'
  | 'finding.SIG-OTHER-TX'
  | 'finding.SIG-OTHER-TX.meaning'
  | 'finding.SIG-OTHER-TX.action'
  | 'finding.SIG-RETURNED-MISMATCH'
  | 'finding.SIG-RETURNED-MISMATCH.meaning'
  | 'finding.SIG-RETURNED-MISMATCH.action'
  | 'finding.SIG-REPEATED'
  | 'finding.SIG-REPEATED.meaning'
  | 'finding.SIG-REPEATED.action'
  | 'finding.SIG-ETHSIGN'
  | 'finding.SIG-ETHSIGN.meaning'
  | 'finding.SIG-ETHSIGN.action'
  | 'finding.SIG-CONTRACT-UNVERIFIED'
  | 'finding.SIG-CONTRACT-UNVERIFIED.meaning'
  | 'finding.SIG-CONTRACT-UNVERIFIED.action'
  | 'finding.SIG-APPROVED-UNVERIFIED'
  | 'finding.SIG-APPROVED-UNVERIFIED.meaning'
  | 'finding.SIG-APPROVED-UNVERIFIED.action'
  | 'finding.SIG-ENOUGH-AFTER'
  | 'finding.SIG-ENOUGH-AFTER.meaning'
  | 'finding.SIG-ENOUGH-AFTER.action'
  | 'finding.SIG-STALE-OWNER'
  | 'finding.SIG-STALE-OWNER.meaning'
  | 'finding.SIG-STALE-OWNER.action'
  | 'finding.SINGLETON-UNKNOWN'
  | 'finding.SINGLETON-UNKNOWN.meaning'
  | 'finding.SINGLETON-UNKNOWN.action'
  | 'finding.SINGLETON-CODEHASH'
  | 'finding.SINGLETON-CODEHASH.meaning'
  | 'finding.SINGLETON-CODEHASH.action'
  | 'finding.VERSION-LIES'
  | 'finding.VERSION-LIES.meaning'
  | 'finding.VERSION-LIES.action'
  | 'finding.NOT-DEPLOYED'
  | 'finding.NOT-DEPLOYED.meaning'
  | 'finding.NOT-DEPLOYED.action'
  | 'finding.VERSION-OLD'
  | 'finding.VERSION-OLD.meaning'
  | 'finding.VERSION-OLD.action'
  | 'finding.LIST-STALE'
  | 'finding.LIST-STALE.meaning'
  | 'finding.LIST-STALE.action'
  | 'finding.PROXY-UNKNOWN'
  | 'finding.PROXY-UNKNOWN.meaning'
  | 'finding.PROXY-UNKNOWN.action'
  | 'finding.MODULE-INSTALLED'
  | 'finding.MODULE-INSTALLED.meaning'
  | 'finding.MODULE-INSTALLED.action'
  | 'finding.GUARD-INSTALLED'
  | 'finding.GUARD-INSTALLED.meaning'
  | 'finding.GUARD-INSTALLED.action'
  | 'finding.HANDLER-INSTALLED'
  | 'finding.HANDLER-INSTALLED.meaning'
  | 'finding.HANDLER-INSTALLED.action'
  | 'finding.OWNER-7702'
  | 'finding.OWNER-7702.meaning'
  | 'finding.OWNER-7702.action'
  | 'finding.NESTED-CYCLE'
  | 'finding.NESTED-CYCLE.meaning'
  | 'finding.NESTED-CYCLE.action'
  | 'finding.REPLAY-CHAIN'
  | 'finding.REPLAY-CHAIN.meaning'
  | 'finding.REPLAY-CHAIN.action'
  | 'finding.DOMAIN-SLOT'
  | 'finding.DOMAIN-SLOT.meaning'
  | 'finding.DOMAIN-SLOT.action'
  | 'finding.NONCE-CONFLICT'
  | 'finding.NONCE-CONFLICT.meaning'
  | 'finding.NONCE-CONFLICT.action'
  | 'finding.NONCE-PAST'
  | 'finding.NONCE-PAST.meaning'
  | 'finding.NONCE-PAST.action'
  | 'finding.NONCE-GAP'
  | 'finding.NONCE-GAP.meaning'
  | 'finding.NONCE-GAP.action'
  | 'finding.GAS-REFUND'
  | 'finding.GAS-REFUND.meaning'
  | 'finding.GAS-REFUND.action'
  | 'finding.NESTED-REFUND'
  | 'finding.NESTED-REFUND.meaning'
  | 'finding.NESTED-REFUND.action'
  | 'finding.GAS-RECEIVER-SET'
  | 'finding.GAS-RECEIVER-SET.meaning'
  | 'finding.GAS-RECEIVER-SET.action'
  | 'finding.GAS-BASEGAS-HIGH'
  | 'finding.GAS-BASEGAS-HIGH.meaning'
  | 'finding.GAS-BASEGAS-HIGH.action'
  | 'finding.SAFETXGAS-SET'
  | 'finding.SAFETXGAS-SET.meaning'
  | 'finding.SAFETXGAS-SET.action'
  | 'finding.TEXT-CONTROL'
  | 'finding.TEXT-CONTROL.meaning'
  | 'finding.TEXT-CONTROL.action'
  | 'finding.ORIGIN-CLAIM'
  | 'finding.ORIGIN-CLAIM.meaning'
  | 'finding.ORIGIN-CLAIM.action'
  | 'finding.MSG-PERMANENT'
  | 'finding.MSG-PERMANENT.meaning'
  | 'finding.MSG-PERMANENT.action'
  | 'finding.MSG-IS-TX'
  | 'finding.MSG-IS-TX.meaning'
  | 'finding.MSG-IS-TX.action'
  | 'finding.MSG-HEX-AMBIGUOUS'
  | 'finding.MSG-HEX-AMBIGUOUS.meaning'
  | 'finding.MSG-HEX-AMBIGUOUS.action'
  | 'finding.MSG-INSTRUCTS'
  | 'finding.MSG-INSTRUCTS.meaning'
  | 'finding.MSG-INSTRUCTS.action'
  | 'finding.PERMIT-SIGN'
  | 'finding.PERMIT-SIGN.meaning'
  | 'finding.PERMIT-SIGN.action'
  | 'finding.TYPED-DATA-UNKNOWN'
  | 'finding.TYPED-DATA-UNKNOWN.meaning'
  | 'finding.TYPED-DATA-UNKNOWN.action'
  | 'finding.SIWE-PARSE'
  | 'finding.SIWE-PARSE.meaning'
  | 'finding.SIWE-PARSE.action'
  | 'finding.SIWE-DOMAIN'
  | 'finding.SIWE-DOMAIN.meaning'
  | 'finding.SIWE-DOMAIN.action'
  | 'finding.SIWE-ADDRESS'
  | 'finding.SIWE-ADDRESS.meaning'
  | 'finding.SIWE-ADDRESS.action'
  | 'finding.SIWE-TIME'
  | 'finding.SIWE-TIME.meaning'
  | 'finding.SIWE-TIME.action'
  | 'finding.MSG-RAW-HASH'
  | 'finding.MSG-RAW-HASH.meaning'
  | 'finding.MSG-RAW-HASH.action'
  | 'finding.SIM-DIVERGES'
  | 'finding.SIM-DIVERGES.meaning'
  | 'finding.SIM-DIVERGES.action'
  | 'finding.SIM-BY-NODE'
  | 'finding.SIM-BY-NODE.meaning'
  | 'finding.SIM-BY-NODE.action'
  | 'finding.SIM-DEPENDS'
  | 'finding.SIM-DEPENDS.meaning'
  | 'finding.SIM-DEPENDS.action'
  | 'finding.SIM-UNAVAILABLE'
  | 'finding.SIM-UNAVAILABLE.meaning'
  | 'finding.SIM-UNAVAILABLE.action'
  | 'finding.SIM-REVERT'
  | 'finding.SIM-REVERT.meaning'
  | 'finding.SIM-REVERT.action'
  | 'finding.SIM-TOO-LARGE'
  | 'finding.SIM-TOO-LARGE.meaning'
  | 'finding.SIM-TOO-LARGE.action'
  | 'finding.TX-OVERSIZED'
  | 'finding.TX-OVERSIZED.meaning'
  | 'finding.TX-OVERSIZED.action'
  | 'finding.SIM-GUARD-BLOCKS'
  | 'finding.SIM-GUARD-BLOCKS.meaning'
  | 'finding.SIM-GUARD-BLOCKS.action'
  | 'finding.CRIT-SLOT-UNEXPLAINED'
  | 'finding.CRIT-SLOT-UNEXPLAINED.meaning'
  | 'finding.CRIT-SLOT-UNEXPLAINED.action'
  | 'finding.SETTINGS-NOT-CHANGED'
  | 'finding.SETTINGS-NOT-CHANGED.meaning'
  | 'finding.SETTINGS-NOT-CHANGED.action'
  | 'finding.MOVES-MORE'
  | 'finding.MOVES-MORE.meaning'
  | 'finding.MOVES-MORE.action'
  | 'finding.MOVES-LESS'
  | 'finding.MOVES-LESS.meaning'
  | 'finding.MOVES-LESS.action'
  | 'finding.MOVES-LESS-LATER'
  | 'finding.MOVES-LESS-LATER.meaning'
  | 'finding.MOVES-LESS-LATER.action'
  | 'finding.TOKEN-FEE'
  | 'finding.TOKEN-FEE.meaning'
  | 'finding.TOKEN-FEE.action'
  | 'finding.TOKEN-FAKE-LOG'
  | 'finding.TOKEN-FAKE-LOG.meaning'
  | 'finding.TOKEN-FAKE-LOG.action'
  | 'finding.APPROVAL-LEFT'
  | 'finding.APPROVAL-LEFT.meaning'
  | 'finding.APPROVAL-LEFT.action'
  | 'finding.SIG-APPROVED-DENIED'
  | 'finding.SIG-APPROVED-DENIED.meaning'
  | 'finding.SIG-APPROVED-DENIED.action'
  | 'guide.title'
  | 'guide.result'
  | 'guide.what'
  | 'guide.print'
  | 'guide.fields'
  | 'guide.fields.how'
  | 'guide.chainId'
  | 'guide.safe'
  | 'guide.version'
  | 'guide.hash.domainHash'
  | 'guide.hash.messageHash'
  | 'guide.hash.safeTxHash'
  | 'guide.hash.dataHash'
  | 'guide.hash.calldataDigest'
  | 'guide.compute'
  | 'guide.compute.how'
  | 'guide.prints.dataHash'
  | 'guide.prints.domainHash'
  | 'guide.prints.messageHash'
  | 'guide.prints.safeTxHash'
  | 'guide.compute.compare'
  | 'guide.file.what'
  | 'guide.file.save'
  | 'guide.file.code'
  | 'guide.file.picture'
  | 'guide.file.long'
  | 'status.FAILED'
  | 'status.SUCCESS'
  | 'history.title'
  | 'history.loading'
  | 'history.empty'
  | 'history.empty.sentence'
  | 'history.empty.filtered'
  | 'history.empty.filtered.sentence'
  | 'history.export'
  | 'history.explorer'
  | 'history.filter'
  | 'history.filter.on'
  | 'history.filter.clear'
  | 'history.filter.kind'
  | 'history.filter.unexplained'
  | 'history.filter.token'
  | 'history.filter.token.all'
  | 'history.filter.token.other'
  | 'history.filter.tokenAddress'
  | 'history.filter.min'
  | 'history.filter.max'
  | 'history.filter.amount.hint'
  | 'history.filter.nonce'
  | 'history.filter.since'
  | 'history.filter.until'
  | 'history.filter.counterparty'
  | 'history.module-executed'
  | 'history.module-executed.failed'
  | 'history.unexplained-nonce.back'
  | 'history.token'
  | 'history.token.unlisted'
  | 'history.open'
  | 'import.title'
  | 'import.what'
  | 'import.field'
  | 'import.field.hint'
  | 'import.notHex'
  | 'import.checking'
  | 'import.found'
  | 'import.submit'
  | 'import.done'
  | 'import.refused'
  | 'import.kind.EOA'
  | 'import.kind.ETH_SIGN'
  | 'import.kind.CONTRACT_SIGNATURE'
  | 'import.kind.APPROVED_HASH'
  | 'import.problem.not-owner'
  | 'import.problem.other-hash'
  | 'import.problem.other-hash.which'
  | 'import.problem.twice'
  | 'import.problem.confirmed'
  | 'import.problem.not-accepted'
  | 'import.problem.not-approved'
  | 'import.problem.not-asked'
  | 'items.loading'
  | 'items.claim'
  | 'items.none'
  | 'items.too-long'
  | 'items.unreadable'
  | 'items.unread'
  | 'items.elsewhere'
  | 'items.picture'
  | 'items.picture.elsewhere'
  | 'items.picture.unreadable'
  | 'landing.verdict'
  | 'landing.picture'
  | 'landing.wallet'
  | 'landing.wallet.title'
  | 'landing.wallet.domain'
  | 'landing.wallet.message'
  | 'landing.review'
  | 'landing.effect'
  | 'landing.finding.1'
  | 'landing.finding.1.sentence'
  | 'landing.finding.2'
  | 'landing.finding.2.sentence'
  | 'landing.after'
  | 'landing.after.value'
  | 'landing.stops'
  | 'landing.stops.1'
  | 'landing.stops.1.sentence'
  | 'landing.stops.2'
  | 'landing.stops.2.sentence'
  | 'landing.stops.3'
  | 'landing.stops.3.sentence'
  | 'landing.stops.4'
  | 'landing.stops.4.sentence'
  | 'tour.title'
  | 'tour.start'
  | 'tour.what'
  | 'tour.owners'
  | 'tour.back'
  | 'tour.next'
  | 'tour.leave'
  | 'tour.end'
  | 'tour.1'
  | 'tour.1.sentence'
  | 'tour.1.link'
  | 'tour.2'
  | 'tour.2.sentence'
  | 'tour.2.link'
  | 'tour.3'
  | 'tour.3.sentence'
  | 'tour.3.link'
  | 'tour.4'
  | 'tour.4.sentence'
  | 'tour.4.link'
  | 'tour.5'
  | 'tour.5.sentence'
  | 'tour.5.link'
  | 'message.signOnChain.title'
  | 'message.signOnChain.what'
  | 'message.signOnChain.propose'
  | 'messages.title'
  | 'messages.what'
  | 'messages.new'
  | 'messages.loading'
  | 'messages.offChain'
  | 'messages.empty'
  | 'messages.empty.sentence'
  | 'messages.notMember'
  | 'messages.more'
  | 'messages.mine.none'
  | 'messages.complete'
  | 'messages.onChain'
  | 'messages.onChain.sentence'
  | 'messages.onChain.none'
  | 'messages.onChain.transaction'
  | 'message.title'
  | 'message.back'
  | 'message.loading'
  | 'message.kind.text'
  | 'message.kind.typed'
  | 'message.kind.unreadable'
  | 'message.otherSafe'
  | 'message.otherHash'
  | 'message.content'
  | 'message.content.whole'
  | 'message.content.text'
  | 'message.content.empty'
  | 'message.content.domain'
  | 'message.content.message'
  | 'message.content.unsigned'
  | 'message.content.json'
  | 'message.content.copy'
  | 'message.verdict.matches'
  | 'message.verdict.matches-with-warnings'
  | 'message.verdict.cannot-verify'
  | 'message.verdict.do-not-sign'
  | 'message.verdict.advice'
  | 'message.hashes.explanation'
  | 'message.hashes.safeMessageHash'
  | 'message.refused.do-not-sign'
  | 'message.collected'
  | 'message.collected.checking'
  | 'message.collected.accepted'
  | 'message.collected.accepted.sentence'
  | 'message.collected.refused'
  | 'message.collected.refused.sentence'
  | 'message.collected.unknown'
  | 'message.collected.unknown.sentence'
  | 'message.collected.signature'
  | 'message.collected.hash'
  | 'message.collected.copy'
  | 'message.collected.owners'
  | 'message.onChain'
  | 'message.onChain.sentence'
  | 'message.delete'
  | 'message.delete.title'
  | 'message.delete.sentence'
  | 'message.delete.really'
  | 'message.delete.keep'
  | 'message.delete.busy'
  | 'message.new.notDeployed'
  | 'message.new.notDeployed.sentence'
  | 'message.new.title'
  | 'message.new.edit'
  | 'message.new.kind'
  | 'message.new.kind.text'
  | 'message.new.kind.typed'
  | 'message.new.text'
  | 'message.new.text.hint'
  | 'message.new.text.looksTyped'
  | 'message.new.text.asTyped'
  | 'message.new.typed'
  | 'message.new.typed.hint'
  | 'message.new.origin'
  | 'message.new.origin.hint'
  | 'message.new.empty'
  | 'message.new.review'
  | 'message.new.discard'
  | 'messages.signIn.title'
  | 'messages.signIn.hint'
  | 'messages.signIn.code'
  | 'messages.signIn.review'
  | 'messages.signIn.refuse'
  | 'messages.signIn.refuse.sure'
  | 'messages.signIn.refuse.yes'
  | 'messages.signIn.refuse.no'
  | 'messages.signIn.refuse.busy'
  | 'messages.signIn.more'
  | 'messages.signIn.page'
  | 'messages.signIn.foreign'
  | 'messages.signIn.foreign.sentence'
  | 'messages.signIn.over'
  | 'messages.signIn.over.sentence'
  | 'safes.empty'
  | 'safes.role.proposer'
  | 'safes.role.viewer'
  | 'safes.role.itself'
  | 'safes.role.none'
  | 'safes.notDeployed'
  | 'safes.version.unknown'
  | 'safes.add.title'
  | 'safes.create'
  | 'safes.add.chain'
  | 'safes.add.address'
  | 'safes.add.button'
  | 'safes.add.busy'
  | 'safes.readBy'
  | 'safes.unnamed'
  | 'safes.alike.name'
  | 'safes.alike.address'
  | 'safes.waiting.none'
  | 'safes.order'
  | 'safes.order.waiting'
  | 'safes.order.name'
  | 'safes.order.newest'
  | 'safes.hide'
  | 'safes.unhide'
  | 'safes.add.exported'
  | 'policy.title'
  | 'policy.what'
  | 'policy.loading'
  | 'policy.private'
  | 'policy.none'
  | 'policy.none.sentence'
  | 'policy.rolledBack'
  | 'policy.compare'
  | 'policy.unproven'
  | 'policy.lapsed'
  | 'policy.alone'
  | 'policy.allowed'
  | 'policy.allowed.aside'
  | 'policy.allowed.empty'
  | 'policy.restrictions'
  | 'policy.restrictions.aside'
  | 'policy.restrictions.empty'
  | 'policy.meters'
  | 'policy.meters.aside'
  | 'policy.meter.unverified'
  | 'policy.meter.untold'
  | 'policy.meter.none'
  | 'policy.noDelegatecall'
  | 'policy.entry.code'
  | 'policy.entry.implementation'
  | 'policy.entry.withdrawn'
  | 'policy.entry.lapsed'
  | 'policy.withdraw'
  | 'policy.withdraw.sure'
  | 'policy.withdraw.yes'
  | 'policy.cancel'
  | 'policy.signing'
  | 'policy.changes'
  | 'policy.approved.by'
  | 'policy.discard'
  | 'policy.discard.sure'
  | 'policy.discard.yes'
  | 'policy.discard.busy'
  | 'policy.never'
  | 'policy.never.cancel'
  | 'policy.never.owners'
  | 'policy.never.export'
  | 'policy.never.record'
  | 'policy.chain'
  | 'policy.next.what'
  | 'policy.form.rules'
  | 'policy.form.noDelegatecall'
  | 'policy.form.noDelegatecall.what'
  | 'policy.form.recipientsOnly'
  | 'policy.form.recipientsOnly.what'
  | 'policy.form.recipients'
  | 'policy.form.recipients.hint'
  | 'policy.form.limits'
  | 'policy.form.entries'
  | 'policy.form.lines'
  | 'policy.form.remove'
  | 'policy.form.reason'
  | 'policy.form.entry'
  | 'policy.form.entry.add'
  | 'policy.form.reading'
  | 'policy.form.kind'
  | 'policy.form.address'
  | 'policy.form.selector'
  | 'policy.form.selector.hint'
  | 'policy.form.selector.wrong'
  | 'policy.form.name'
  | 'policy.form.name.missing'
  | 'policy.form.limit'
  | 'policy.form.limit.add'
  | 'policy.form.asset'
  | 'policy.form.amount.wrong'
  | 'policy.form.days'
  | 'policy.form.reviewer'
  | 'review.effects'
  | 'review.effects.all-read'
  | 'review.effects.given'
  | 'review.configuration'
  | 'review.moves'
  | 'review.moves.not-simulated'
  | 'review.moves.none'
  | 'review.moves.untold'
  | 'review.moves.out'
  | 'review.moves.allowance'
  | 'review.moves.item'
  | 'review.moves.spender'
  | 'call.operation.0'
  | 'call.operation.1'
  | 'call.noName'
  | 'call.value'
  | 'call.implementation'
  | 'call.command.mayFail'
  | 'call.given'
  | 'call.given.by'
  | 'call.guess.stranger'
  | 'call.guess.endorse'
  | 'call.guess.imported.unfit'
  | 'call.guess.none'
  | 'call.guess.book'
  | 'call.bytes.none'
  | 'call.issue.offset-gap'
  | 'call.issue.offset-backwards'
  | 'call.issue.dirty-bits'
  | 'call.issue.dirty-padding'
  | 'call.issue.missing-padding'
  | 'call.issue.sign-extension'
  | 'call.issue.trailing-bytes'
  | 'call.issue.too-short'
  | 'call.issue.offset-out-of-bounds'
  | 'call.issue.length-out-of-bounds'
  | 'call.issue.inner-call-invalid'
  | 'call.issue.batch-encoding'
  | 'call.issue.batch-head'
  | 'call.issue.batch-leftover'
  | 'call.issue.batch-operation'
  | 'call.issue.batch-overrun'
  | 'call.issue.batch-two-layouts'
  | 'call.issue.batch-delegatecall-refused'
  | 'call.issue.budget-depth'
  | 'call.issue.budget-calls'
  | 'call.issue.budget-bytes'
  | 'call.issue.budget-values'
  | 'call.issue.text-control'
  | 'call.issue.text-not-utf8'
  | 'review.moves.unknown'
  | 'review.past.unread'
  | 'review.past.unread.sentence'
  | 'review.counterparties'
  | 'review.counterparties.no-code'
  | 'review.counterparties.unread'
  | 'review.counterparties.self'
  | 'review.fields'
  | 'review.fields.aside'
  | 'review.fields.operation.0'
  | 'review.fields.operation.1'
  | 'review.fields.data.empty'
  | 'review.fields.data.copy'
  | 'review.hashes'
  | 'review.hashes.aside'
  | 'review.hashes.explanation'
  | 'review.hashes.domainHash'
  | 'review.hashes.messageHash'
  | 'review.hashes.safeTxHash'
  | 'review.hashes.served'
  | 'review.signatures'
  | 'review.signatures.none'
  | 'review.signatures.missing'
  | 'review.signatures.valid'
  | 'review.signatures.invalid'
  | 'review.signatures.not-owner'
  | 'review.signatures.not-checked'
  | 'review.signatures.other'
  | 'review.signatures.you'
  | 'review.signatures.show'
  | 'review.hashes.noVersion'
  | 'review.claims'
  | 'review.claims.aside'
  | 'review.claims.origin'
  | 'review.claims.origin.none'
  | 'review.claims.proposer'
  | 'review.claims.proposer.unnamed'
  | 'review.claims.proposedFor'
  | 'review.claims.submitted'
  | 'decision.label'
  | 'decision.outdated'
  | 'decision.to.confirmation'
  | 'decision.to.signature'
  | 'decision.to.execution'
  | 'decision.to.verdict'
  | 'confirm.title'
  | 'confirm.button'
  | 'confirm.busy.checking'
  | 'confirm.busy.wallet'
  | 'confirm.busy.sending'
  | 'confirm.refused.cannot-verify'
  | 'confirm.done.transaction'
  | 'confirm.done.message'
  | 'confirm.refused.waiting'
  | 'confirm.refused.do-not-sign'
  | 'approveHash.title'
  | 'approveHash.button'
  | 'approveHash.waiting'
  | 'approveHash.approved'
  | 'approveHash.reverted'
  | 'approveHash.lost'
  | 'instead.title'
  | 'approveAs.title'
  | 'approveAs.what'
  | 'approveAs.propose'
  | 'instead.what'
  | 'instead.cancel'
  | 'instead.cancel.exists'
  | 'instead.replace'
  | 'instead.again'
  | 'instead.delete'
  | 'instead.delete.sure'
  | 'instead.delete.yes'
  | 'instead.delete.busy'
  | 'instead.delete.no'
  | 'propose.title'
  | 'propose.title.approve'
  | 'propose.approve.what'
  | 'propose.cancel.what'
  | 'propose.kind'
  | 'propose.contract'
  | 'propose.data'
  | 'propose.data.hint'
  | 'propose.data.malformed'
  | 'propose.value'
  | 'propose.edit.title'
  | 'propose.token'
  | 'propose.token.other'
  | 'propose.tokenAddress'
  | 'propose.tokenAddress.reading'
  | 'propose.tokenAddress.none'
  | 'propose.recipient'
  | 'propose.recipient.hint'
  | 'propose.amount'
  | 'propose.amount.hint'
  | 'propose.nonce'
  | 'propose.origin'
  | 'propose.origin.hint'
  | 'propose.review'
  | 'propose.back'
  | 'propose.sign'
  | 'propose.sign.title'
  | 'propose.notOwner'
  | 'propose.draft.discard'
  | 'field.amount.empty'
  | 'field.amount.zero'
  | 'field.amount.too-large'
  | 'field.nonce.not-a-number'
  | 'review.head.safe'
  | 'review.calls'
  | 'review.moves.settled'
  | 'review.moves.unread'
  | 'review.counterparties.alike'
  | 'review.counterparties.unnamed'
  | 'review.codes'
  | 'review.signatures.yourTurn'
  | 'review.signatures.notNeeded'
  | 'review.signatures.doNotSign'
  | 'review.claims.result'
  | 'decision.card'
  | 'review.back'
  | 'review.effects.settled'
  | 'review.effects.not-all-read'
  | 'review.moves.by-data'
  | 'notVisible.title'
  | 'notVisible.transaction'
  | 'notVisible.message'
  | 'notVisible.hint'
  | 'notVisible.switch'
  | 'sources.grade.proved'
  | 'sources.grade.one-node'
  | 'sources.grade.unknown'
  | 'review.checks.not-checked.explanation'
  | 'review.evidence'
  | 'finding.unknown.meaning'
  | 'finding.unknown.action'
  | 'review.action'
  | 'check.hash'
  | 'check.hash.unclaimed'
  | 'check.state'
  | 'check.state.undeployed'
  | 'check.singleton'
  | 'check.proxy'
  | 'check.signatures'
  | 'check.signatures.none'
  | 'check.signatures.none-counts'
  | 'check.signatures.some'
  | 'check.encoding'
  | 'check.delegatecall'
  | 'check.nested'
  | 'check.settings'
  | 'check.policy'
  | 'check.refund'
  | 'check.nonce'
  | 'check.functions'
  | 'check.code'
  | 'check.addresses'
  | 'check.chain-hash'
  | 'check.chain-id'
  | 'check.domain'
  | 'check.domain.configured'
  | 'check.outcome'
  | 'check.simulation'
  | 'check.simulation.unasked'
  | 'check.simulation.by-node'
  | 'check.second-source'
  | 'check.second-source.one-node'
  | 'check.token-lists'
  | 'check.contract-age'
  | 'check.creation-code'
  | 'check.creation-address'
  | 'check.creation-elsewhere'
  | 'evidence.to'
  | 'evidence.call'
  | 'evidence.codeHash'
  | 'evidence.selector'
  | 'evidence.function'
  | 'evidence.owner'
  | 'evidence.author'
  | 'evidence.declaredOnly'
  | 'evidence.observedOnly'
  | 'evidence.parts'
  | 'evidence.calls'
  | 'evidence.recovered'
  | 'evidence.otherSafeTxHash'
  | 'evidence.computed'
  | 'evidence.rule'
  | 'evidence.policy'
  | 'evidence.limit'
  | 'evidence.period'
  | 'evidence.executed'
  | 'evidence.queued'
  | 'evidence.reviewer'
  | 'evidence.above'
  | 'evidence.why'
  | 'evidence.seen'
  | 'evidence.seenHash'
  | 'evidence.served'
  | 'evidence.servedHash'
  | 'evidence.claimed'
  | 'evidence.chain'
  | 'evidence.before'
  | 'evidence.after'
  | 'evidence.origin'
  | 'evidence.codePoints'
  | 'evidence.length'
  | 'evidence.nonce'
  | 'evidence.chainNonce'
  | 'evidence.earlier'
  | 'evidence.confirmations'
  | 'evidence.address'
  | 'evidence.resembles'
  | 'evidence.threshold'
  | 'evidence.module'
  | 'evidence.guard'
  | 'evidence.isGuard'
  | 'evidence.verifier'
  | 'evidence.handler'
  | 'evidence.spender'
  | 'evidence.safe'
  | 'evidence.version'
  | 'evidence.reported'
  | 'evidence.singleton'
  | 'evidence.factory'
  | 'evidence.issue'
  | 'evidence.places'
  | 'evidence.alternative'
  | 'evidence.bought'
  | 'evidence.least'
  | 'evidence.mayDiffer'
  | 'evidence.received'
  | 'evidence.worthTaken'
  | 'evidence.worthBrought'
  | 'evidence.beside'
  | 'evidence.besideAmount'
  | 'evidence.worthAmount'
  | 'evidence.worthBeside'
  | 'evidence.receiver'
  | 'evidence.initializer'
  | 'evidence.runs'
  | 'evidence.primaryType'
  | 'evidence.deadline'
  | 'evidence.domain'
  | 'evidence.uri'
  | 'evidence.notBefore'
  | 'evidence.expirationTime'
  | 'evidence.field'
  | 'evidence.slot'
  | 'evidence.again'
  | 'evidence.expected'
  | 'evidence.actual'
  | 'evidence.chainId'
  | 'evidence.name'
  | 'evidence.allowed'
  | 'evidence.value'
  | 'evidence.means'
  | 'evidence.oldOwner'
  | 'evidence.newOwner'
  | 'evidence.ownersBefore'
  | 'evidence.owners'
  | 'evidence.account'
  | 'evidence.actor'
  | 'evidence.gsCode'
  | 'evidence.maximum'
  | 'evidence.gasPrice'
  | 'evidence.baseGas'
  | 'evidence.gasNeeded'
  | 'evidence.gasLimit'
  | 'evidence.byteSize'
  | 'evidence.byteLimit'
  | 'evidence.safeTxGas'
  | 'evidence.gasToken'
  | 'evidence.refundReceiver'
  | 'evidence.operation'
  | 'evidence.amount'
  | 'evidence.token'
  | 'evidence.held'
  | 'evidence.needed'
  | 'evidence.missing'
  | 'evidence.asset'
  | 'evidence.symbol'
  | 'evidence.listed'
  | 'evidence.operator'
  | 'evidence.delegatesTo'
  | 'evidence.recipient'
  | 'evidence.role'
  | 'evidence.holder'
  | 'evidence.proxy'
  | 'evidence.behind'
  | 'evidence.describedCode'
  | 'evidence.implementation'
  | 'evidence.hash'
  | 'evidence.nestedSafe'
  | 'evidence.nestedHash'
  | 'evidence.nestedMessage'
  | 'evidence.unresolved'
  | 'evidence.verdict'
  | 'evidence.named'
  | 'evidence.message'
  | 'evidence.signatures'
  | 'evidence.range'
  | 'evidence.bytes'
  | 'evidence.validatorKey'
  | 'evidence.newOwners'
  | 'evidence.taken'
  | 'evidence.newAddresses'
  | 'evidence.tokenId'
  | 'evidence.collection'
  | 'evidence.sender'
  | 'evidence.check'
  | 'evidence.competing'
  | 'evidence.input'
  | 'nested.title'
  | 'nested.what'
  | 'nested.message'
  | 'nested.own'
  | 'nested.words'
  | 'nested.itsReview'
  | 'nested.changes'
  | 'nested.fields'
  | 'nested.open'
  | 'nested.give.what'
  | 'nested.give.order'
  | 'nested.give.order.label'
  | 'nested.give.order.read'
  | 'nested.give.hash'
  | 'nested.give.label'
  | 'nested.give.file'
  | 'nested.give.read'
  | 'nested.give.reading'
  | 'nested.copy'
  | 'configuration.no-change'
  | 'configuration.unknown'
  | 'configuration.not-read'
  | 'configuration.was'
  | 'configuration.becomes'
  | 'configuration.none'
  | 'configuration.singleton'
  | 'configuration.owners'
  | 'configuration.threshold'
  | 'configuration.modules'
  | 'configuration.guard'
  | 'configuration.moduleGuard'
  | 'configuration.fallbackHandler'
  | 'report.title'
  | 'report.aside'
  | 'report.none'
  | 'report.none.sentence'
  | 'report.verb.proposed'
  | 'report.verb.confirmed'
  | 'report.verb.sent'
  | 'report.verb.proposed-message'
  | 'report.verb.confirmed-message'
  | 'report.verdict.matches'
  | 'report.verdict.matches-with-warnings'
  | 'report.verdict.cannot-verify'
  | 'report.verdict.do-not-sign'
  | 'report.block.none'
  | 'report.grade.proved'
  | 'report.grade.said-by-one-node'
  | 'report.grade.unknown'
  | 'review.findings.serious'
  | 'review.findings.points'
  | 'review.missing'
  | 'review.checks'
  | 'configuration.no-change.what'
  | 'configuration.unread'
  | 'effects.title'
  | 'effects.result.declared'
  | 'effects.result.read'
  | 'effects.declared'
  | 'effects.read'
  | 'effects.json'
  | 'effects.markdown'
  | 'effects.attach'
  | 'effects.import'
  | 'evidence.holds'
  | 'evidence.of'
  | 'evidence.slots'
  | 'evidence.said'
  | 'evidence.contractWords'
  | 'evidence.moved'
  | 'evidence.share'
  | 'evidence.contract'
  | 'evidence.spendsNonce'
  | 'evidence.here'
  | 'evidence.node'
  | 'evidence.machine'
  | 'evidence.method'
  | 'evidence.reason'
  | 'evidence.at'
  | 'evidence.standard'
  | 'evidence.delay'
  | 'evidence.sources'
  | 'evidence.facts'
  | 'evidence.instructions'
  | 'evidence.content'
  | 'evidence.yes'
  | 'evidence.no'
  | 'transaction.title.loading'
  | 'transaction.loading'
  | 'transaction.state.loading'
  | 'transaction.reviewing'
  | 'transaction.otherSafe'
  | 'transaction.otherHash'
  | 'transaction.unrecovered'
  | 'transaction.notice.executed'
  | 'transaction.notice.failed'
  | 'transaction.notice.failed.sentence'
  | 'transaction.notice.executed.sentence'
  | 'transaction.used'
  | 'transaction.edited'
  | 'transaction.edited.sentence'
  | 'transaction.offline'
  | 'transaction.offline.sentence'
  | 'permission.IS_SAFE'
  | 'permission.NOT_SIGNED_IN'
  | 'permission.loading'
  | 'permission.ACCOUNT_MISMATCH'
  | 'permission.proposer'
  | 'permission.TRANSACTION_ALREADY_EXECUTED'
  | 'permission.NONCE_ALREADY_EXECUTED'
  | 'execute.explorer'
  | 'verdict.one-node.missing'
  | 'verdict.cannot-verify.open'
  | 'verdict.do-not-sign.advice'
  | 'verdict.do-not-sign.power'
  | 'nameLink'
  | 'nameLink.sign'
  | 'abiLink'
  | 'abiLink.implementation'
  | 'alarm.sentence'
  | 'alarm.other.sentence'
  | 'alarm.hint'
  | 'verdict.matches'
  | 'verdict.matches.explanation'
  | 'verdict.matches-one-node'
  | 'verdict.matches-with-warnings.explanation'
  | 'verdict.cannot-verify'
  | 'verdict.cannot-verify.explanation'
  | 'verdict.do-not-sign'
  | 'review.head.by'
  | 'review.head.for'
  | 'verdict.do-not-sign.explanation'
  | 'severity.critical'
  | 'severity.high'
  | 'severity.medium'
  | 'severity.low'
  | 'severity.info'
  | 'effect.baseUnits'
  | 'effect.message-sign'
  | 'effect.cancel'
  | 'verdict.checking'
  | 'verdict.not-checked'
  | 'wallet.safe.outside'
  | 'wallet.safe.off'
  | 'wallet.safe.cannotSwitch'
  | 'wallet.safe.openTab'
  | 'wallet.safe.noCookies'
  | 'wallet.safe.noCookies.sentence'
  | 'wallet.verify.collecting'
  | 'wallet.verify.collecting.sentence'
  | 'wallet.verify.collecting.onChain'
  | 'wallet.verify.collecting.messageHash'
  | 'wallet.verify.collecting.safeTxHash'
  | 'wallet.verify.collecting.trouble'
  | 'wallet.verify.collecting.notYet'
  | 'wallet.verify.collecting.cancel'
  | 'wallet.link.title'
  | 'wallet.link.what'
  | 'wallet.link.go'
  | 'wallet.link.chain'
  | 'wallet.link.address'
  | 'wallet.link.ask'
  | 'wallet.link.waiting'
  | 'wallet.link.waiting.sentence'
  | 'wallet.link.count.none'
  | 'wallet.link.link'
  | 'wallet.link.copy'
  | 'wallet.link.code'
  | 'wallet.link.code.hint'
  | 'wallet.link.whole'
  | 'wallet.link.refused'
  | 'safe.title'
  | 'safe.unlisted'
  | 'safe.unlisted.sentence'
  | 'safe.unlisted.add'
  | 'safe.loading'
  | 'safe.stale'
  | 'safe.version.unofficial.title'
  | 'safe.version.unofficial.sentence'
  | 'safe.owners'
  | 'safe.limits.set-limit'
  | 'safe.limits.reset-limit'
  | 'safe.limits.delete-limit'
  | 'safe.isProposer'
  | 'safe.isViewer'
  | 'safe.isItself'
  | 'safe.notOwner'
  | 'safe.screens'
  | 'safe.screens.home'
  | 'safe.screens.transactions'
  | 'safe.screens.queue'
  | 'safe.screens.history'
  | 'safe.screens.assets'
  | 'safe.screens.messages'
  | 'safe.screens.book'
  | 'safe.screens.team'
  | 'safe.screens.activity'
  | 'safe.screens.settings'
  | 'safe.name.give'
  | 'health.title'
  | 'health.loading'
  | 'health.good.code'
  | 'health.good.handler'
  | 'health.good.modules'
  | 'health.good.guard'
  | 'health.good.threshold'
  | 'health.good.owners'
  | 'health.code.danger'
  | 'health.threshold.one-owner'
  | 'health.threshold.one-of-many'
  | 'health.threshold.all'
  | 'health.good.idle'
  | 'health.threshold.some'
  | 'home.title'
  | 'home.what'
  | 'home.try'
  | 'home.try.1'
  | 'home.try.2'
  | 'home.try.3'
  | 'safes.title'
  | 'safes.loading'
  | 'safe.giver.you'
  | 'safe.you'
  | 'safe.about'
  | 'safe.refresh'
  | 'safe.refreshing'
  | 'safe.chain'
  | 'safe.version'
  | 'safe.version.unofficial.silent'
  | 'safe.singleton'
  | 'safe.threshold'
  | 'safe.nonce'
  | 'safe.nonce.hint'
  | 'safe.modules'
  | 'safe.modules.none'
  | 'safe.modules.hint'
  | 'safe.guard'
  | 'safe.moduleGuard'
  | 'safe.fallbackHandler'
  | 'safe.none'
  | 'safe.explorer'
  | 'safe.change'
  | 'safe.change.add-owner'
  | 'safe.change.swap-owner'
  | 'safe.change.remove-owner'
  | 'safe.change.change-threshold'
  | 'safe.change.enable-module'
  | 'safe.change.disable-module'
  | 'safe.change.set-guard'
  | 'safe.change.set-handler'
  | 'safe.change.upgrade'
  | 'safe.change.set-limit'
  | 'safe.limits'
  | 'safe.limits.loading'
  | 'safe.limits.none'
  | 'safe.limits.more'
  | 'safe.limits.units'
  | 'safe.name'
  | 'safe.name.none'
  | 'safe.name.yours'
  | 'safe.name.hint'
  | 'safe.name.missing'
  | 'safe.name.save'
  | 'safe.name.busy'
  | 'several.title'
  | 'several.what'
  | 'several.none'
  | 'several.none.sentence'
  | 'several.howMany'
  | 'several.stop'
  | 'several.stopping'
  | 'several.slow'
  | 'several.checking'
  | 'several.onItsWay'
  | 'several.refused'
  | 'several.over.rest'
  | 'several.goOn'
  | 'run.moves'
  | 'run.moves.none'
  | 'run.moves.else'
  | 'run.moves.failed'
  | 'run.moves.fails'
  | 'run.moves.unread'
  | 'run.moves.item.about'
  | 'run.moves.items'
  | 'run.moves.unknown'
  | 'run.approvals'
  | 'run.approvals.none'
  | 'run.approvals.unknown'
  | 'run.approvals.unread'
  | 'run.approvals.ended'
  | 'run.approvals.all'
  | 'run.not-seen'
  | 'run.calls'
  | 'run.part.signature'
  | 'run.part.guard'
  | 'run.part.transaction'
  | 'run.part.module'
  | 'run.part.refund'
  | 'run.failure.silent'
  | 'run.running'
  | 'run.no-change.what'
  | 'pack.title'
  | 'pack.result'
  | 'pack.explanation'
  | 'pack.make'
  | 'pack.making'
  | 'pack.check'
  | 'pack.checking'
  | 'pack.unasked'
  | 'pack.undeployed'
  | 'pack.unfinished'
  | 'pack.not-compared'
  | 'pack.same'
  | 'pack.different'
  | 'pack.before'
  | 'pack.now'
  | 'pack.nothing'
  | 'pack.attached'
  | 'pack.attached.none'
  | 'pack.attached.run'
  | 'pack.attached.remove'
  | 'pack.attach'
  | 'pack.attaching'
  | 'executed.title'
  | 'executed.asking'
  | 'executed.old'
  | 'executed.run'
  | 'executed.no-receipt'
  | 'executed.replaced'
  | 'executed.contradicted'
  | 'executed.same'
  | 'executed.no-state'
  | 'executed.different'
  | 'executed.on-chain'
  | 'executed.in-run'
  | 'parts.title'
  | 'part.grade.proved'
  | 'part.grade.one-node'
  | 'part.grade.unknown'
  | 'part.nonce'
  | 'part.code'
  | 'part.singletonCode'
  | 'part.balances'
  | 'part.approvals'
  | 'pack.no-policy'
  | 'pack.claims-otherwise'
  | 'pack.written'
  | 'pack.computed'
  | 'team.title'
  | 'team.loading'
  | 'team.private'
  | 'team.private.sentence'
  | 'team.owners'
  | 'team.owners.what'
  | 'team.delegates'
  | 'team.delegates.what'
  | 'team.delegates.empty'
  | 'team.delegates.by'
  | 'team.delegates.all'
  | 'team.delegates.until'
  | 'team.delegates.noEnd'
  | 'team.delegates.add'
  | 'team.delegates.address'
  | 'team.delegates.label'
  | 'team.delegates.span'
  | 'team.delegates.scope'
  | 'team.delegates.scope.this'
  | 'team.delegates.submit'
  | 'team.delegates.adding'
  | 'team.delegates.leave.sure'
  | 'team.viewers'
  | 'team.viewers.what'
  | 'team.viewers.empty'
  | 'team.viewers.by'
  | 'team.viewers.add'
  | 'team.viewers.address'
  | 'team.viewers.label'
  | 'team.viewers.submit'
  | 'team.viewers.adding'
  | 'team.viewers.leave.sure'
  | 'team.access'
  | 'team.access.what'
  | 'team.access.loading'
  | 'team.access.empty'
  | 'team.access.empty.sentence'
  | 'team.access.session'
  | 'team.access.token'
  | 'team.access.suspended'
  | 'team.access.suspended.since'
  | 'team.access.by'
  | 'team.access.deviceUnknown'
  | 'team.access.fromUnknown'
  | 'team.access.framed'
  | 'team.access.opened'
  | 'team.access.signers'
  | 'team.access.signers.unknown'
  | 'team.access.end'
  | 'team.access.end.session'
  | 'team.access.end.token'
  | 'team.access.end.yes'
  | 'team.access.end.busy'
  | 'team.policy'
  | 'team.policy.what'
  | 'team.policy.open'
  | 'team.webhooks'
  | 'team.webhooks.what'
  | 'team.webhooks.open'
  | 'team.label.hint'
  | 'team.label.missing'
  | 'team.remove'
  | 'team.remove.yes'
  | 'team.remove.busy'
  | 'team.leave'
  | 'team.leave.yes'
  | 'team.cancel'
  | 'title.token.unlisted'
  | 'title.refund.executor'
  | 'title.unnamed'
  | 'tokens.title'
  | 'tokens.of'
  | 'tokens.what'
  | 'tokens.list'
  | 'tokens.loading'
  | 'tokens.empty'
  | 'tokens.empty.sentence'
  | 'tokens.make'
  | 'tokens.make.submit'
  | 'tokens.make.busy'
  | 'tokens.name'
  | 'tokens.name.hint'
  | 'tokens.name.missing'
  | 'tokens.scopes'
  | 'tokens.scopes.missing'
  | 'tokens.scope.read'
  | 'tokens.scope.read.what'
  | 'tokens.scope.propose'
  | 'tokens.scope.propose.what'
  | 'tokens.scope.confirm'
  | 'tokens.scope.confirm.what'
  | 'tokens.span'
  | 'tokens.span.hint'
  | 'tokens.shown.once'
  | 'tokens.shown.sentence'
  | 'tokens.shown.done'
  | 'tokens.copy'
  | 'tokens.how'
  | 'tokens.over'
  | 'tokens.made'
  | 'tokens.ends'
  | 'tokens.ended'
  | 'tokens.used'
  | 'tokens.used.never'
  | 'tokens.revoke'
  | 'tokens.revoke.yes'
  | 'tokens.revoke.busy'
  | 'tokens.cancel'
  | 'transaction.title.unknown'
  | 'name.self'
  | 'name.you'
  | 'queue.loading'
  | 'queue.empty'
  | 'queue.empty.sentence'
  | 'queue.notOwner'
  | 'queue.notOwner.sentence'
  | 'queue.mine.none'
  | 'queue.youConfirmed'
  | 'queue.ready'
  | 'queue.sent'
  | 'queue.more'
  | 'queue.unread'
  | 'history.filter.all'
  | 'history.filter.executed'
  | 'history.filter.received'
  | 'history.filter.sent'
  | 'history.filter.settings'
  | 'history.filter.approvals'
  | 'history.filter.amount.units'
  | 'history.filter.amount.noAsset'
  | 'history.created'
  | 'history.hash-approved'
  | 'history.message-signed'
  | 'history.owner-added'
  | 'history.owner-removed'
  | 'history.module-enabled'
  | 'history.module-disabled'
  | 'history.guard-changed'
  | 'history.module-guard-changed'
  | 'history.fallback-handler-changed'
  | 'history.singleton-changed'
  | 'alarm.title'
  | 'alarm.other.title'
  | 'alarm.signer'
  | 'alarm.submittedBy'
  | 'alarm.signedHash'
  | 'alarm.otherHash'
  | 'alarm.at'
  | 'alarm.acknowledge'
  | 'alarm.acknowledge.busy'
  | 'alarm.unread'
  | 'queue.group.next'
  | 'queue.group.later'
  | 'queue.action.confirm'
  | 'queue.action.decide'
  | 'queue.action.missing'
  | 'queue.action.refused'
  | 'queue.action.execute'
  | 'queue.action.open'
  | 'queue.complete'
  | 'queue.search'
  | 'queue.show'
  | 'queue.show.all'
  | 'queue.show.mine'
  | 'queue.show.ready'
  | 'queue.none'
  | 'queue.none.sentence'
  | 'queue.rivals.sentence'
  | 'queue.verdicts'
  | 'waiting.title'
  | 'waiting.none'
  | 'waiting.queue'
  | 'waiting.refused.link'
  | 'queue.waitsForYou'
  | 'queue.link'
  | 'queue.turn'
  | 'queue.empty.new'
  | 'message.summary.empty'
  | 'message.summary.unreadable'
  | 'alive.link'
  | 'wallet.connect.about'
  | 'wallet.connect.sessionOnly'
  | 'wallet.connect.sessionOnly.hint'
  | 'wallet.connect.installed'
  | 'wallet.connect.demo'
  | 'wallet.connect.other'
  | 'wallet.connect.recent'
  | 'wallet.connect.demo.about'
  | 'wallet.connect.waiting.safe'
  | 'wallet.connect.waiting.link'
  | 'wallet.connect.rejected'
  | 'wallet.connect.busy.sentence'
  | 'wallet.connect.back'
  | 'wallet.connect.notInstalled'
  | 'wallet.connect.none'
  | 'wallet.connect.hidden'
  | 'wallet.notInstalled.phone'
  | 'wallet.oops'
  | 'wallet.get.what'
  | 'wallet.get.what.key'
  | 'wallet.get.what.sign'
  | 'wallet.get.what.login'
  | 'wallet.get.which'
  | 'wallet.get.which.sentence'
  | 'wallet.get.metaMask'
  | 'wallet.get.rabby'
  | 'wallet.get.frame'
  | 'wallet.get.coinbase'
  | 'wallet.get.after'
  | 'wallet.network.sentence'
  | 'wallet.network.current'
  | 'wallet.network.switchShort'
  | 'wallet.network.switching'
  | 'wallet.network.leave'
  | 'wallet.network.back'
  | 'wallet.network.unknown.sentence'
  | 'wallet.network.field.name'
  | 'wallet.network.field.chainId'
  | 'wallet.network.field.symbol'
  | 'wallet.network.field.rpcUrl'
  | 'wallet.network.field.rpcUrl.own'
  | 'wallet.network.field.explorer'
  | 'wallet.verify.about'
  | 'wallet.verify.otherChain.sentence'
  | 'wallet.verify.stage.preparing.next'
  | 'wallet.verify.stage.preparing.now'
  | 'wallet.verify.stage.preparing.done'
  | 'wallet.verify.stage.preparing.failed'
  | 'wallet.verify.stage.waiting.next'
  | 'wallet.verify.stage.waiting.now'
  | 'wallet.verify.stage.waiting.done'
  | 'wallet.verify.stage.waiting.failed'
  | 'wallet.verify.stage.verifying.next'
  | 'wallet.verify.stage.verifying.now'
  | 'wallet.verify.stage.verifying.done'
  | 'wallet.verify.stage.verifying.failed'
  | 'wallet.verify.message'
  | 'wallet.verify.sign'
  | 'wallet.verify.rejected'
  | 'wallet.verify.error.preparing'
  | 'wallet.verify.error.waiting'
  | 'wallet.verify.error.verifying'
  | 'wallet.verify.retry'
  | 'wallet.verify.startOver'
  | 'wallet.profile.balance'
  | 'wallet.profile.balance.reading'
  | 'wallet.profile.balance.unreadable'
  | 'wallet.profile.explorer'
  | 'wallet.profile.wallet'
  | 'wallet.profile.network'
  | 'wallet.profile.signedIn'
  | 'wallet.profile.tokens'
  | 'wallet.profile.disconnect'
  | 'wallet.profile.changeAccount'
  | 'wallet.sessions.title'
  | 'wallet.sessions.loading'
  | 'wallet.sessions.current'
  | 'wallet.sessions.deviceUnknown'
  | 'wallet.sessions.fromUnknown'
  | 'wallet.sessions.framed'
  | 'wallet.sessions.created'
  | 'wallet.sessions.lastSeen'
  | 'wallet.sessions.end'
  | 'wallet.sessions.ending'
  | 'wallet.recent.title'
  | 'wallet.recent.none'
  | 'wallet.recent.clear'
  | 'wallet.recent.open'
  | 'wallet.recent.unreadable'
  | 'wallet.recent.outcome.pending'
  | 'wallet.recent.outcome.confirmed'
  | 'wallet.recent.outcome.failed'
  | 'wallet.recent.outcome.dropped'
  | 'demo.title'
  | 'demo.choose'
  | 'demo.choose.hint'
  | 'demo.notAnOwner'
  | 'demo.recipient'
  | 'demo.spare'
  | 'demo.reject'
  | 'demo.approve'
  | 'demo.message'
  | 'demo.typedData'
  | 'demo.transaction'
  | 'demo.signingAs'
  | 'demo.domain'
  | 'demo.fields'
  | 'demo.hash'
  | 'demo.error.rejected'
  | 'demo.error.busy'
  | 'demo.error.chain'
  | 'wallet.connect.ended.sentence'
  | 'wallet.button.connect'
  | 'wallet.button.connecting'
  | 'wallet.button.reconnecting'
  | 'wallet.button.wrongNetwork'
  | 'wallet.button.verify'
  | 'wallet.button.wrongAccount'
  | 'wallet.connect.title'
  | 'wallet.get.title'
  | 'wallet.network.title'
  | 'wallet.status.connection.disconnected'
  | 'wallet.status.connection.connecting'
  | 'wallet.status.connection.reconnecting'
  | 'wallet.status.connection.connected'
  | 'wallet.status.session.loading'
  | 'wallet.status.session.authenticated'
  | 'wallet.status.session.unauthenticated'
  | 'wallet.status.session.unknown'
  | 'wallet.verify.title'
  | 'wallet.ended.expired'
  | 'wallet.ended.revoked'
  | 'wallet.ended.revoked-by-owner'
  | 'wallet.ended.owners-changed'
  | 'wallet.ended.suspended'
  | 'wallet.ended.not-allowed'
  | 'wallet.ended.signed-out'
  | 'wallet.ended.signed-out.sentence'
  | 'wallet.profile.title'
  | 'wallet.profile.signOut'
  | 'wallet.profile.signingOut'
  | 'wallet.profile.signOut.failed'
  | 'wallet.banner.wrongAccount'
  | 'wallet.banner.wrongAccount.session'
  | 'wallet.banner.wrongAccount.wallet'
  | 'wallet.banner.wrongAccount.hint'
  | 'wallet.banner.verify'
  | 'wallet.require.title'
  | 'wallet.require.sentence'
  | 'wallet.require.start'
  | 'wallet.require.loading'
  | 'walletConnect.unset'
  | 'walletConnect.scan.title'
  | 'walletConnect.scan.hint'
  | 'walletConnect.scan.preparing'
  | 'walletConnect.scan.picture'
  | 'walletConnect.scan.renewed'
  | 'walletConnect.scan.copy'
  | 'walletConnect.scan.copied'
  | 'walletConnect.scan.copyFailed'
  | 'walletConnect.scan.open'
  | 'walletConnect.scan.openMetaMask'
  | 'webhooks.title'
  | 'webhooks.what'
  | 'webhooks.loading'
  | 'webhooks.owners'
  | 'webhooks.owners.sentence'
  | 'webhooks.list'
  | 'webhooks.empty'
  | 'webhooks.empty.sentence'
  | 'webhooks.create'
  | 'webhooks.create.submit'
  | 'webhooks.create.busy'
  | 'webhooks.url'
  | 'webhooks.url.hint'
  | 'webhooks.url.missing'
  | 'webhooks.url.wrong'
  | 'webhooks.events'
  | 'webhooks.events.missing'
  | 'webhooks.events.of'
  | 'webhooks.event.proposed'
  | 'webhooks.event.proposed.what'
  | 'webhooks.event.confirmation-needed'
  | 'webhooks.event.confirmation-needed.what'
  | 'webhooks.event.ready'
  | 'webhooks.event.ready.what'
  | 'webhooks.event.executed'
  | 'webhooks.event.executed.what'
  | 'webhooks.event.deleted'
  | 'webhooks.event.deleted.what'
  | 'webhooks.event.settings-changed'
  | 'webhooks.event.settings-changed.what'
  | 'webhooks.event.signature-refused'
  | 'webhooks.event.signature-refused.what'
  | 'webhooks.event.message'
  | 'webhooks.event.message.what'
  | 'webhooks.shown'
  | 'webhooks.shown.once'
  | 'webhooks.shown.done'
  | 'webhooks.copy'
  | 'webhooks.how'
  | 'webhooks.state.on'
  | 'webhooks.state.failing'
  | 'webhooks.state.failing.sentence'
  | 'webhooks.state.disabled'
  | 'webhooks.state.disabled.sentence'
  | 'webhooks.state.no-owner'
  | 'webhooks.state.no-owner.sentence'
  | 'webhooks.created'
  | 'webhooks.creator'
  | 'webhooks.test'
  | 'webhooks.enable'
  | 'webhooks.test.busy'
  | 'webhooks.remove'
  | 'webhooks.remove.yes'
  | 'webhooks.remove.busy'
  | 'webhooks.cancel'
  | 'webhooks.deliveries'
  | 'webhooks.deliveries.loading'
  | 'webhooks.deliveries.empty'
  | 'webhooks.type.test'
  | 'webhooks.type.proposed'
  | 'webhooks.type.confirmed'
  | 'webhooks.type.executed'
  | 'webhooks.type.reverted'
  | 'webhooks.type.deleted'
  | 'webhooks.type.changed-settings'
  | 'webhooks.type.reverted-settings'
  | 'webhooks.type.refused-signature'
  | 'webhooks.type.proposed-message'
  | 'webhooks.type.confirmed-message'
  | 'webhooks.type.deleted-message'
  | 'webhooks.outcome.delivered'
  | 'webhooks.outcome.waiting'
  | 'webhooks.outcome.failing'
  | 'webhooks.outcome.failed'
  | 'webhooks.delivery.at'
  | 'webhooks.delivery.attempts'
  | 'webhooks.delivery.last'
  | 'webhooks.delivery.outcome'
  | 'webhooks.delivery.next'
  | 'webhooks.delivery.soon'
  | 'webhooks.delivery.sent'
  | 'webhooks.delivery.id'
  | 'webhooks.delivery.body'
  | 'webhooks.failure.timeout'
  | 'webhooks.failure.unreachable'
  | 'webhooks.failure.address-refused'
  | 'webhooks.failure.certificate'
  | 'webhooks.failure.stopped'
  | 'webhooks.redeliver'
  | 'webhooks.redeliver.busy'
  | 'workspace.safes'
  | 'workspace.you'
  | 'workspace.mySafes'
  | 'workspace.chains'
  | 'workspace.account'
  | 'workspace.all'
  | 'workspace.unnamed'
  | 'workspace.switch'
  | 'workspace.switch.search'
  | 'workspace.switch.add'
  | 'workspace.waiting.none'
  | 'workspace.new'
  | 'workspace.new.short'
  | 'workspace.more'
  | 'toast.message'
  | 'toast.message.link'
  | 'toast.transaction.link'
  | 'toast.alarm.link'
  | 'toast.many.link'
  | 'workspace.palette.key'
  | 'workspace.palette.key.mac'
  | 'palette.title'
  | 'palette.search'
  | 'palette.group.here'
  | 'palette.group.queue'
  | 'palette.group.safes'
  | 'palette.group.book'
  | 'palette.group.do'
  | 'palette.wallet'
  | 'palette.theme.light'
  | 'palette.theme.dark'
  | 'palette.theme.system'
  | 'palette.newMessage'
  | 'palette.policy'
  | 'palette.webhooks'
  | 'palette.signatures'
  | 'keys.title'
  | 'keys.palette'
  | 'keys.list'
  | 'keys.safes'
  | 'keys.home'
  | 'keys.queue'
  | 'keys.history'
  | 'keys.assets'
  | 'keys.messages'
  | 'keys.book'
  | 'keys.team'
  | 'keys.activity'
  | 'keys.settings'
  | 'keys.new'
  | 'keys.next'
  | 'keys.previous'
  | 'keys.search'
  | 'keys.on'
  | 'keys.off'
  | 'keys.turnOff'
  | 'keys.turnOn'
  | 'keys.decide'
  | 'worth.claim'

// biome-ignore format: one key a line
/** Keys of texts with values, and these values. */
export type TextValues = {
  'account.zone.device': { zone: Value }
  'acknowledge.title': { count: Count }
  'acknowledge.places': { count: Count }
  'acknowledge.list': { title: Value; count: Count }
  'acknowledge.list.more': { count: Count }
  'acknowledge.list.some': { title: Value; count: Value; named: Value }
  'acknowledge.typed.address': { what: Value }
  'acknowledge.typed.number': { what: Value }
  'acknowledge.missing.check': { check: Value }
  'acknowledge.missing.at': { title: Value; contract: Value }
  'acknowledge.SIG-REPEATED': { owner: Value; signatures: Value; nonce: Value }
  'acknowledge.SIG-ENOUGH-AFTER': { otherSafeTxHash: Value; nonce: Value }
  'acknowledge.SIG-STALE-OWNER': { owner: Value }
  'acknowledge.REPLAY-CHAIN': { chainId: Value; owners: Value }
  'acknowledge.CODE-CREATE': { bytes: Value }
  'acknowledge.MULTISEND-ZERO-TO': { means: Value }
  'acknowledge.OWNER-ADD': { owner: Value; safe: Value; threshold: Value }
  'acknowledge.OWNER-REMOVE': { owner: Value; safe: Value; threshold: Value }
  'acknowledge.OWNER-SWAP': { newOwner: Value; oldOwner: Value; safe: Value }
  'acknowledge.OWNER-SELF-REMOVED': { account: Value }
  'acknowledge.OWNER-QUORUM-UNKNOWN': { newOwners: Value }
  'acknowledge.OWNER-QUORUM-UNKNOWN.unread': { newOwners: Value; safe: Value }
  'acknowledge.THRESHOLD-DOWN': { after: Value }
  'acknowledge.THRESHOLD-ONE': { owners: Value }
  'acknowledge.THRESHOLD-LOCK': { owners: Value }
  'acknowledge.SETTINGS-REVERT': { gsCode: Value; function: Value }
  'acknowledge.SLOT0-OFFICIAL': { after: Value; version: Value }
  'acknowledge.MODULE-ENABLE': { module: Value; safe: Value }
  'acknowledge.GUARD-SET': { guard: Value; safe: Value }
  'acknowledge.GUARD-REMOVE': { safe: Value; before: Value }
  'acknowledge.GUARD-REMOVE.less': { safe: Value }
  'acknowledge.MODGUARD-CHANGE': { safe: Value; after: Value }
  'acknowledge.MODGUARD-CHANGE.nobody': { safe: Value }
  'acknowledge.MODGUARD-CHANGE.less': { safe: Value }
  'acknowledge.HANDLER-UNKNOWN': { handler: Value; safe: Value }
  'acknowledge.HANDLER-UNKNOWN.less': { handler: Value }
  'acknowledge.DOMAIN-VERIFIER': { verifier: Value; safe: Value; function: Value }
  'acknowledge.DOMAIN-VERIFIER.nobody': { safe: Value; function: Value }
  'acknowledge.GAS-BASEGAS-HIGH': { baseGas: Value }
  'acknowledge.NONCE-CONFLICT': { otherSafeTxHash: Value; nonce: Value; confirmations: Value }
  'acknowledge.APPROVE-UNLIMITED': { spender: Value; token: Value }
  'acknowledge.APPROVE-EOA': { spender: Value }
  'acknowledge.APPROVE-ANYBODY': { spender: Value; token: Value }
  'acknowledge.APPROVE-ALL-NFT': { operator: Value; to: Value }
  'acknowledge.SPENDING-RIGHT': { spender: Value; amount: Value; token: Value }
  'acknowledge.SPENDING-RIGHT.less': { spender: Value; function: Value; to: Value }
  'acknowledge.SPENDING-RIGHT.bare': { function: Value; to: Value }
  'acknowledge.ORDER-SIGN': { amount: Value; token: Value; receiver: Value; least: Value; bought: Value }
  'acknowledge.RECEIVER-OTHER': { receiver: Value }
  'acknowledge.TOKEN-TO-ITSELF': { recipient: Value }
  'acknowledge.TOKEN-DATA': { function: Value; to: Value; bytes: Value; recipient: Value }
  'acknowledge.VALIDATOR-KEY': { function: Value; to: Value; validatorKey: Value }
  'acknowledge.TOKEN-HOMOGLYPH': { token: Value; symbol: Value; listed: Value }
  'acknowledge.BALANCE-EXCEEDED': { needed: Value; held: Value }
  'acknowledge.VALUE-DRAIN': { needed: Value; held: Value }
  'acknowledge.VALUE-DRAIN.allowed': { needed: Value; held: Value }
  'acknowledge.OTHER-DRAINED': { needed: Value; account: Value; held: Value }
  'acknowledge.OWNERSHIP-TRANSFER': { newOwner: Value; to: Value }
  'acknowledge.OWNERSHIP-TRANSFER.nobody': { to: Value }
  'acknowledge.OWNERSHIP-TRANSFER.less': { to: Value }
  'acknowledge.PROXY-UPGRADE': { proxy: Value; implementation: Value }
  'acknowledge.PROXY-UPGRADE.less': { proxy: Value }
  'acknowledge.ROLE-CHANGE': { to: Value; function: Value }
  'acknowledge.ROLE-CHANGE.gains': { holder: Value; role: Value; to: Value }
  'acknowledge.ROLE-CHANGE.loses': { holder: Value; role: Value; to: Value }
  'acknowledge.ROLE-CHANGE.gains-right': { holder: Value; to: Value; function: Value }
  'acknowledge.ROLE-CHANGE.loses-right': { holder: Value; to: Value; function: Value }
  'acknowledge.ROLE-CHANGE.admin': { role: Value; to: Value }
  'acknowledge.ROLE-CHANGE.module': { holder: Value; to: Value; function: Value }
  'acknowledge.ROLE-CHANGE.module-removed': { holder: Value; to: Value; function: Value }
  'acknowledge.ROLE-CHANGE.setting': { holder: Value; to: Value; function: Value }
  'acknowledge.ROLE-CHANGE.votes': { account: Value; to: Value; function: Value }
  'acknowledge.ROLE-CHANGE.delay': { to: Value; delay: Value; function: Value }
  'acknowledge.ROLE-CHANGE.resolver': { account: Value; to: Value; function: Value }
  'acknowledge.RECOVERY-CHANGE': { function: Value; to: Value }
  'acknowledge.RENOUNCE': { to: Value }
  'acknowledge.RENOUNCE.role': { to: Value; function: Value }
  'acknowledge.nested': { nestedSafe: Value }
  'acknowledge.nested.message': { nestedSafe: Value }
  'acknowledge.EXEC-AS-MODULE': { to: Value }
  'acknowledge.PERMIT-SIGN': { primaryType: Value; spender: Value; amount: Value; token: Value; deadline: Value }
  'acknowledge.PERMIT-SIGN.nobody': { primaryType: Value }
  'acknowledge.PERMIT-SIGN.less': { primaryType: Value; spender: Value; amount: Value; token: Value }
  'acknowledge.PERMIT-SIGN.least': { primaryType: Value; spender: Value }
  'acknowledge.PERMIT-SIGN.receiver': { primaryType: Value; amount: Value; token: Value; receiver: Value }
  'acknowledge.PERMIT-SIGN.bare': { primaryType: Value }
  'acknowledge.SIWE-DOMAIN': { domain: Value }
  'acknowledge.SIWE-ADDRESS': { actual: Value; expected: Value }
  'acknowledge.CALL-NO-CODE': { to: Value }
  'acknowledge.ADDR-LOOKALIKE': { address: Value; resembles: Value }
  'acknowledge.MODULE-INSTALLED': { module: Value }
  'acknowledge.GUARD-INSTALLED': { guard: Value }
  'acknowledge.GUARD-INSTALLED.module': { guard: Value }
  'acknowledge.HANDLER-INSTALLED': { handler: Value }
  'acknowledge.OWNER-7702': { owner: Value; delegatesTo: Value }
  'acknowledge.NESTED-CYCLE': { owners: Value }
  'acknowledge.SELECTOR-AMBIGUOUS': { function: Value; to: Value }
  'acknowledge.GAS-REFUND': { refundReceiver: Value; maximum: Value }
  'acknowledge.NESTED-REFUND': { refundReceiver: Value; maximum: Value }
  'acknowledge.APPROVE-OVER-BALANCE': { spender: Value; amount: Value; held: Value }
  'acknowledge.BRIDGE-RECEIVER': { receiver: Value }
  'acknowledge.NAME-CONTENT': { content: Value }
  'acknowledge.SWAP-LOW-MINIMUM': { function: Value; to: Value; amount: Value; said: Value }
  'acknowledge.SWAP-HIGH-MAXIMUM': { function: Value; to: Value; amount: Value; said: Value }
  'acknowledge.SWAP-BELOW-PAR': { function: Value; to: Value; amount: Value; received: Value }
  'acknowledge.SWAP-WORTH-LESS': { function: Value; to: Value; amount: Value; worthTaken: Value; received: Value; worthBrought: Value }
  'acknowledge.POOL-OFF-PRICE': { to: Value; amount: Value; worthAmount: Value; besideAmount: Value; worthBeside: Value }
  'acknowledge.SWAP-NO-MINIMUM': { function: Value; to: Value }
  'acknowledge.SWAP-NO-MINIMUM.fee': { function: Value; to: Value }
  'acknowledge.SWAP-UNLISTED': { function: Value; to: Value; token: Value }
  'acknowledge.CODE-UNFAMILIAR': { function: Value; address: Value }
  'acknowledge.ARGUMENT-UNFAMILIAR': { function: Value; to: Value; address: Value }
  'acknowledge.ADDR-YOUNG-CODE': { address: Value }
  'acknowledge.NFT-APPROVE': { operator: Value; tokenId: Value; collection: Value }
  'acknowledge.TOKEN-MOVE': { function: Value; amount: Value; token: Value; sender: Value; recipient: Value }
  'acknowledge.TOKEN-MOVE.less': { function: Value; amount: Value; token: Value; sender: Value }
  'acknowledge.TOKEN-MOVE.least': { recipient: Value; function: Value; to: Value }
  'acknowledge.TOKEN-MOVE.bare': { function: Value; to: Value }
  'acknowledge.CREATION-OWNERS': { newOwners: Value; threshold: Value; owners: Value }
  'acknowledge.CREATION-ELSEWHERE': { chainId: Value; safe: Value }
  'acknowledge.CREATION-ONE-SIGNATURE': { owners: Value; threshold: Value }
  'acknowledge.CREATION-TOO-LARGE': { owners: Value; gasNeeded: Value; gasLimit: Value }
  'acknowledge.CREATION-UNNAMED': { newOwners: Value }
  'acknowledge.TYPED-DATA-UNKNOWN': { primaryType: Value; domain: Value }
  'acknowledge.TYPED-DATA-UNKNOWN.less': { primaryType: Value }
  'acknowledge.RECIPIENT-7702': { recipient: Value; delegatesTo: Value }
  'acknowledge.MSG-RAW-HASH': { message: Value }
  'acknowledge.MSG-HEX-AMBIGUOUS': { bytes: Value }
  'acknowledge.MSG-INSTRUCTS': { named: Value }
  'acknowledge.DECODE-GIVEN': { function: Value; to: Value }
  'acknowledge.EFFECTS-DIFFER': { author: Value }
  'acknowledge.TEXT-CONTROL': { codePoints: Value }
  'acknowledge.DECODE-NONCANONICAL': { function: Value; to: Value }
  'acknowledge.DECODE-NONCANONICAL.less': { to: Value }
  'acknowledge.DECODE-NONE': { to: Value }
  'acknowledge.SIM-TOO-LARGE': { gasNeeded: Value; gasLimit: Value }
  'acknowledge.TX-OVERSIZED': { byteSize: Value; byteLimit: Value }
  'acknowledge.SIM-GUARD-BLOCKS': { guard: Value }
  'acknowledge.MOVES-MORE': { amount: Value; asset: Value; said: Value }
  'acknowledge.MOVES-LESS': { said: Value; account: Value; amount: Value; asset: Value }
  'acknowledge.MOVES-LESS-LATER': { asset: Value; share: Value }
  'acknowledge.TOKEN-FAKE-LOG': { token: Value; said: Value; moved: Value }
  'acknowledge.APPROVAL-LEFT': { spender: Value; amount: Value; token: Value }
  'acknowledge.other': { safe: Value }
  'acknowledge.actor': { actor: Value }
  'alive.modules': { count: Count }
  'alive.refused': { count: Count }
  'alive.nonce': { nonce: Value }
  'alive.nonce.waits': { count: Count }
  'alive.nonce.several': { count: Value }
  'alive.nonce.burn': { nonce: Value }
  'alive.effects.more': { count: Count }
  'alive.reach.enough.ahead': { count: Count }
  'alive.reach.one.ahead': { count: Count }
  'alive.reach.more': { missing: Value }
  'alive.reach.more.ahead': { missing: Value; count: Count }
  'alive.reach.message.more': { missing: Count }
  'alive.former.enough': { count: Count }
  'alive.former.more': { count: Count; missing: Count }
  'alive.together.anyone': { count: Count }
  'alive.together.accounts': { count: Count }
  'alive.together.step': { nonce: Value; title: Value }
  'alive.together.open': { count: Count }
  'alive.together.unread': { count: Count }
  'alive.unchecked': { count: Count }
  'alive.accounts.nonce': { count: Count; nonce: Value }
  'alive.accounts.messages': { count: Count }
  'alive.accounts.hashes': { count: Count }
  'alive.here.others': { count: Count }
  'alive.here.elsewhere': { transactions: Count; messages: Count }
  'app.footer.version': { version: Value }
  'app.notFound.sentence': { path: Value }
  'app.chain.unreachable': { name: Value }
  'app.chain.wrong-chain': { name: Value }
  'app.chain.wrong-chain.sentence': { chainId: Value }
  'end.days': { count: Count }
  'copy.address': { address: Value }
  'copy.hash': { hash: Value }
  'copy.amount': { amount: Value }
  'amount.about': { amount: Value }
  'problem.request': { requestId: Value }
  'field.address.not-an-address': { typed: Value }
  'field.address.length': { digits: Value }
  'field.address.prefix': { typed: Value }
  'field.address.bad-checksum': { typed: Value }
  'field.file.too-large': { name: Value; size: Value; limit: Value }
  'field.file.unreadable': { name: Value }
  'assets.gone': { count: Count }
  'assets.tag.imitates': { symbol: Value }
  'assets.claimedUnit': { symbol: Value }
  'assets.claims': { name: Value; symbol: Value }
  'assets.claims.one': { name: Value }
  'assets.items.unread': { count: Count }
  'assets.item': { id: Value }
  'assets.item.pieces': { id: Value; amount: Value }
  'assets.listedBy': { lists: Value }
  'assets.decimals': { symbol: Value; listed: Value; own: Value }
  'balances.asset.unlisted': { address: Value }
  'balances.plot': { symbol: Value }
  'balances.step': { amount: Value; symbol: Value; time: Value }
  'balances.step.unexplained': { amount: Value; symbol: Value; time: Value }
  'balances.thinned': { points: Value; changes: Count }
  'balances.none.sentence': { amount: Value; symbol: Value }
  'balances.unread': { block: Value }
  'balances.unread.sentence': { block: Value }
  'balances.before.sentence': { amount: Value; symbol: Value }
  'balances.missing.sentence': { amount: Value; symbol: Value }
  'balances.end': { block: Value }
  'balances.table.caption': { symbol: Value }
  'book.names.count': { count: Count }
  'book.search.none': { typed: Value }
  'book.endorsed': { endorsers: Value }
  'book.standing': { standing: Value }
  'book.name.endorse.of': { name: Value }
  'book.name.endorse.sure': { name: Value }
  'book.name.sign.of': { name: Value }
  'book.name.sign.sure': { name: Value }
  'book.rename.of': { name: Value }
  'book.saved': { name: Value }
  'book.remove.of': { name: Value }
  'book.remove.sure': { name: Value }
  'book.abis.cut': { count: Count }
  'book.abi.saved': { name: Value }
  'book.abi.endorse.of': { name: Value }
  'book.abi.functions': { count: Count }
  'activity.whole': { count: Count }
  'activity.kind': { kind: Value }
  'activity.of': { count: Value; required: Value }
  'activity.wei': { value: Value }
  'bring.fetch': { host: Value }
  'bring.fetching': { host: Value }
  'bring.onlyThere': { count: Count; host: Value }
  'bring.onlyThere.unknown': { host: Value }
  'bring.onlyThere.beyond': { count: Count; host: Value }
  'bring.there': { host: Value }
  'bring.there.not': { host: Value }
  'bring.there.lacks': { count: Count; host: Value }
  'bring.there.all': { host: Value }
  'bring.there.unknown': { host: Value }
  'bring.there.beyond': { host: Value }
  'bring.there.unsigned': { host: Value }
  'bring.there.send': { host: Value }
  'bring.there.sending': { host: Value }
  'bring.there.done': { host: Value }
  'bring.there.part': { host: Value }
  'bring.there.outcome.refused': { host: Value }
  'bring.there.outcome.unknown': { host: Value }
  'bring.there.answer': { status: Value; words: Value }
  'bring.there.unsent': { count: Count }
  'bring.found': { count: Count; executed: Value }
  'bring.beyond': { first: Value; count: Value }
  'bring.beyond.read': { count: Value }
  'bring.busy': { done: Value; count: Value }
  'bring.done': { proposals: Value; confirmations: Value }
  'bring.unreadable': { count: Value }
  'bring.names.found': { count: Value; known: Value }
  'bring.names.unusable': { count: Value }
  'bring.names.elsewhere': { count: Value }
  'bring.names.lines': { count: Value }
  'bring.names.lines.more': { count: Value }
  'bring.names.line': { line: Value }
  'bring.names.line.chain': { typed: Value }
  'bring.names.line.formula': { typed: Value }
  'bring.names.line.hidden': { typed: Value }
  'bring.names.line.long': { typed: Value; limit: Value }
  'bring.names.line.many': { limit: Value }
  'bring.names.line.twice': { typed: Value }
  'bring.names.line.wide': { typed: Value }
  'bring.names.done': { count: Value }
  'bring.messages.found': { count: Count }
  'bring.messages.done': { messages: Value; confirmations: Value }
  'bring.delegates.found': { count: Value; known: Value }
  'bring.delegates.done': { count: Value }
  'bring.delegates.others': { count: Count }
  'bring.safes.found': { count: Value; known: Value }
  'bring.safes.elsewhere': { count: Value }
  'bring.safes.done': { count: Value }
  'chains.name': { name: Value; chainId: Value }
  'chains.outbound.node': { name: Value }
  'chains.outbound.transaction-service': { name: Value }
  'chains.outbound.last': { time: Value }
  'chains.findings.count': { faults: Count; notices: Count }
  'chains.sources.wallet': { count: Value }
  'chains.sources.nodes': { count: Value }
  'chains.head.readAt': { time: Value }
  'chains.block': { block: Value }
  'chains.lag.blocks': { count: Count }
  'chains.lag.time': { blocks: Value; duration: Value }
  'chains.backfill.value': { percent: Value; left: Count; safes: Count }
  'chains.discovery.value': { percent: Value; left: Count }
  'chains.stopped.sentence': { time: Value }
  'chains.rebuild.copy': { command: Value }
  'chains.disagreement.sentence': { time: Value; hosts: Value; block: Value }
  'chains.failing.sentence': { time: Value }
  'chains.silent.sentence': { time: Value }
  'following.behind': { block: Value; blocks: Count }
  'following.past': { percent: Value }
  'following.still': { block: Value }
  'following.discovery': { name: Value; percent: Value }
  'following.lacking': { name: Value; standing: Value }
  'chains.limit.log-range': { value: Count }
  'chains.limit.log-results': { value: Count }
  'chains.limit.log-addresses': { value: Count }
  'chains.limit.log-topics': { value: Count }
  'chains.limit.batch': { value: Count }
  'chains.limit.rate': { value: Count }
  'chains.limit.archive': { value: Count }
  'chains.limit.words': { time: Value; words: Value }
  'chains.backfill.pace': { rate: Count; duration: Value }
  'following.past.from': { block: Value }
  'following.named-tokens': { from: Value; to: Value; command: Value }
  'following.past.left': { duration: Value }
  'chains.lists.file': { source: Value }
  'chains.lists.url': { source: Value }
  'chains.lists.made': { time: Value }
  'chains.lists.tokens': { count: Count; name: Value }
  'chains.lists.others': { count: Count }
  'chains.lists.every': { duration: Value }
  'chains.lists.fetched': { time: Value }
  'chains.lists.fault': { time: Value; why: Value }
  'chains.lists.fault.status': { status: Value }
  'chains.lists.refused': { count: Count }
  'chains.lists.refused.malformed': { count: Count }
  'chains.lists.refused.checksum': { count: Count }
  'chains.lists.refused.text': { count: Count }
  'chains.lists.refused.twice': { count: Count }
  'chains.lists.refused.differs': { count: Count }
  'chains.lists.refused.imitates': { count: Count }
  'following.past.rate': { rate: Value }
  'following.stopped.from': { block: Value }
  'chains.prices.what': { currency: Value }
  'chains.prices.feed': { asset: Value; name: Value }
  'chains.prices.pool': { asset: Value; name: Value; minutes: Count }
  'chains.prices.count': { count: Count }
  'chains.prices.newest': { time: Value }
  'chains.prices.refused': { count: Count }
  'again.same': { nonce: Value }
  'again.twice': { nonce: Value }
  'again.swap.with': { nonce: Value; title: Value }
  'again.second': { nonce: Value }
  'compose.batch.what': { count: Value }
  'compose.edit.number': { number: Value }
  'compose.duplicate.number': { number: Value }
  'compose.remove.number': { number: Value }
  'compose.up': { number: Value }
  'compose.down': { number: Value }
  'compose.moved': { from: Value; to: Value; count: Value }
  'compose.removed': { number: Value }
  'compose.left': { amount: Value }
  'compose.name.found': { name: Value; address: Value; isKnown: Value; known: Value }
  'compose.name.says': { says: Value; primary: Value }
  'compose.name.reading': { name: Value }
  'compose.name.malformed': { name: Value }
  'compose.name.no-registry': { name: Value }
  'compose.name.unregistered': { name: Value }
  'compose.name.no-address': { name: Value }
  'compose.name.contract': { name: Value }
  'compose.name.unread': { name: Value }
  'compose.nonce.there': { host: Value }
  'compose.nonce.thereUnknown': { host: Value }
  'compose.nonce.thereBeyond': { count: Count; host: Value }
  'compose.nonce.thereAsking': { host: Value }
  'compose.item.held': { count: Value }
  'compose.whole': { typed: Value }
  'compose.threshold.of': { number: Value; count: Value }
  'compose.threshold.hint': { count: Count; now: Value }
  'compose.place.official': { contract: Value; version: Value }
  'compose.place.now': { address: Value }
  'compose.handler.official': { version: Value }
  'compose.version.named': { version: Value }
  'compose.version.now': { version: Value }
  'compose.limit.module.named': { version: Value; address: Value }
  'compose.limit.every': { period: Value }
  'compose.limit.spent': { spent: Value; amount: Value; symbol: Value }
  'compose.limit.revived': { count: Count }
  'compose.abi.of': { name: Value; author: Value }
  'compose.abi.registry': { count: Count }
  'compose.abi.code': { count: Count; unnamed: Count }
  'compose.choice': { number: Value; name: Value }
  'compose.parameter': { name: Value; type: Value }
  'compose.unnamed': { number: Value }
  'compose.type.enum': { name: Value; type: Value }
  'compose.enum.hint': { most: Value }
  'compose.bytes.hint': { count: Count }
  'compose.element.add.to': { label: Value }
  'compose.element.remove.number': { number: Value; label: Value }
  'compose.element.more': { count: Count }
  'compose.element.more.of': { count: Count; label: Value }
  'compose.element.hidden': { hidden: Count; count: Value }
  'compose.element.fault': { number: Value; sentence: Value }
  'compose.element.fault.show': { number: Value }
  'compose.element.faults.more': { count: Count }
  'compose.value.empty': { type: Value }
  'compose.value.not-an-address': { typed: Value }
  'compose.value.bad-checksum': { typed: Value }
  'compose.value.not-a-number': { typed: Value }
  'compose.value.out-of-range': { typed: Value; type: Value }
  'compose.value.not-bytes': { typed: Value }
  'compose.value.wrong-size': { typed: Value; type: Value }
  'compose.value.not-a-list': { typed: Value; type: Value }
  'compose.value.wrong-length': { type: Value }
  'compose.file.taken': { count: Count }
  'compose.file.chain': { chainId: Value; own: Value }
  'compose.file.long': { count: Value; limit: Value }
  'compose.list.long': { limit: Value }
  'compose.list.formula': { typed: Value }
  'compose.list.asset': { typed: Value }
  'compose.list.faults': { count: Count }
  'compose.list.faults.lines': { count: Count; lines: Value }
  'compose.list.file': { name: Value }
  'compose.list.ignored': { count: Count; names: Value }
  'compose.list.fault': { line: Value; sentence: Value }
  'compose.list.payments': { count: Count }
  'compose.list.total': { amount: Value; symbol: Value }
  'compose.list.repeated': { lines: Value }
  'compose.list.number': { typed: Value }
  'compose.list.wide': { typed: Value }
  'compose.list.names': { typed: Value }
  'compose.list.more': { count: Count }
  'compose.list.items': { count: Count }
  'compose.list.unknown': { count: Count; lines: Value }
  'payout.title': { count: Count }
  'payout.origin': { number: Value; count: Value }
  'payout.measuring': { done: Value; count: Value }
  'payout.failing': { reason: Value }
  'payout.progress': { done: Value; count: Count }
  'payout.batch': { from: Value; to: Value }
  'payout.gas': { gas: Value }
  'drafts.use.named': { name: Value }
  'drafts.remove.named': { name: Value }
  'drafts.unreadable': { name: Value }
  'drafts.unfinished.goOn.named': { name: Value }
  'drafts.unfinished.discard.named': { name: Value }
  'drafts.unfinished.more': { title: Value; count: Count }
  'compose.change.now': { threshold: Value; count: Value }
  'compose.change.afterwards': { threshold: Value; count: Value }
  'compose.live.change': { before: Value; after: Value }
  'compose.live.item': { tokenId: Value }
  'compose.live.gas.amount': { gas: Value }
  'compose.live.gas.large': { gas: Value; most: Value }
  'compose.live.gas.excess': { gas: Value; most: Value; entries: Count }
  'compose.live.size.excess': { bytes: Value; most: Value; entries: Count }
  'compose.live.gas.split': { count: Count }
  'compose.later': { count: Count }
  'compose.nonce.replaces': { count: Count; title: Value }
  'compose.nonce.gap': { nextNonce: Value }
  'compose.nonce.fills': { nonce: Value; later: Value; last: Value }
  'compose.fit.no-contract': { role: Value }
  'compose.fit.other-contract': { role: Value }
  'compose.problem.threshold-above-owners': { owners: Count }
  'compose.problem.needs-version': { version: Value }
  'compose.problem.older-version': { version: Value }
  'create.owner.address': { number: Value }
  'create.owner.name': { number: Value }
  'create.owner.remove': { number: Value }
  'create.threshold.value': { threshold: Value; owners: Value }
  'create.release.value': { version: Value }
  'create.release.place': { version: Value; place: Value }
  'create.contract.official': { name: Value; version: Value }
  'create.effect': { threshold: Value; owners: Value; chain: Value }
  'create.explanation': { account: Value }
  'create.cost': { amount: Value; symbol: Value }
  'create.cost.short': { account: Value }
  'create.kept.chain': { chain: Value }
  'create.kept.cost': { amount: Value; symbol: Value }
  'design.plot.step': { amount: Value; time: Value }
  'device.checkedOn': { date: Value }
  'device.checkedOn.release': { date: Value; release: Value }
  'device.sources': { count: Value }
  'execute.explanation': { account: Value }
  'execute.fee.estimate': { fee: Value; held: Value }
  'execute.fee.short': { fee: Value; held: Value; missing: Value }
  'execute.fee.short.chosen': { fee: Value; held: Value; missing: Value }
  'execute.fee.waiting': { count: Count; nonce: Value }
  'execute.fees.whole': { most: Value }
  'execute.gasUsed': { gas: Value }
  'execute.next.count': { count: Count }
  'guide.data.long': { bytes: Value }
  'history.threshold-changed': { threshold: Value }
  'history.unexplained-nonce': { count: Count }
  'history.unexplained.blocks': { after: Value; block: Value }
  'history.nft': { id: Value }
  'history.pieces': { count: Value; id: Value }
  'history.at': { words: Value; whom: Value }
  'import.problem.kind-not-known': { kind: Value }
  'items.claimed': { name: Value }
  'tour.step': { step: Value; count: Value }
  'tour.resume': { step: Value }
  'messages.mine': { count: Count }
  'messages.refused': { count: Count }
  'message.content.typed': { type: Value }
  'message.content.cut': { count: Count }
  'message.content.unsigned.sentence': { paths: Value }
  'message.confirm.explanation': { account: Value }
  'message.collected.missing': { count: Count }
  'message.collected.how': { hash: Value }
  'message.collected.how.legacy': { hash: Value }
  'message.new.unreadable': { reason: Value }
  'message.new.sign.explanation': { account: Value }
  'messages.signIn.review.code': { code: Value }
  'messages.signIn.refuse.code': { code: Value }
  'safes.empty.sentence': { account: Value }
  'safes.owners': { threshold: Value; owners: Count }
  'safes.waiting': { count: Count }
  'safes.waiting.messages': { count: Count }
  'safes.chain.unknown': { chainId: Value }
  'safes.chain.unreachable': { name: Value }
  'safes.chain.wrong': { name: Value }
  'safes.covers.whole': { chains: Value }
  'safes.covers.tracked': { chains: Value }
  'safes.hide.named': { name: Value }
  'safes.unhide.named': { name: Value }
  'safes.hidden.show': { count: Count }
  'safes.hidden.fold': { count: Count }
  'policy.rolledBack.sentence': { why: Value; seen: Value; hash: Value }
  'policy.inForce': { number: Value }
  'policy.approvers': { count: Value; required: Count }
  'policy.meter.left': { left: Value; limit: Value }
  'policy.meter.label': { percent: Value }
  'policy.meter.executed': { amount: Value }
  'policy.meter.executed.said': { amount: Value }
  'policy.meter.queued': { amount: Value }
  'policy.meter.verified': { amount: Value; count: Count }
  'policy.meter.less': { amount: Value }
  'policy.recipients': { count: Count }
  'policy.asset.unlisted': { asset: Value }
  'policy.amount': { amount: Value; days: Count }
  'policy.amount.seconds': { amount: Value; seconds: Count }
  'policy.reviewer': { reviewer: Value; amount: Value }
  'policy.reviewer.all': { reviewer: Value }
  'policy.refund': { amount: Value }
  'policy.recipientsOnly': { count: Count }
  'policy.recipient': { recipient: Value }
  'policy.entry': { kind: Value; name: Value; selector: Value }
  'policy.withdraw.of': { name: Value }
  'policy.proposed': { number: Value }
  'policy.difference': { kind: Value; sentence: Value }
  'policy.approve': { number: Value }
  'policy.next': { number: Value }
  'policy.form.recipients.named': { count: Count }
  'policy.form.remove.of': { line: Value }
  'policy.form.changes': { count: Count }
  'policy.propose': { number: Value }
  'policy.form.kind.of': { kind: Value }
  'policy.form.limit.of': { kind: Value }
  'policy.form.amount': { kind: Value }
  'review.effects.undecoded': { count: Count }
  'call.described': { date: Value; owner: Value; path: Value }
  'call.attested': { day: Value; name: Value }
  'call.number.named': { place: Value; value: Value; name: Value }
  'call.number.enum': { place: Value; value: Value; enum: Value }
  'call.guess': { function: Value }
  'call.guess.bytecode': { count: Count; kind: Value; selector: Value }
  'call.guess.imported': { count: Count; list: Value }
  'call.alternatives': { functions: Value }
  'call.bytes': { start: Value; end: Value }
  'call.issues.more': { count: Count }
  'review.counterparties.code': { size: Value }
  'review.counterparties.release': { name: Value; version: Value }
  'review.fields.data.size': { count: Count }
  'review.fields.data.all': { count: Count }
  'review.fields.gas': { value: Value }
  'review.fields.gasPrice.wei': { value: Value }
  'review.fields.gasPrice.token': { value: Value }
  'review.fields.wei': { value: Value }
  'review.hashes.independent': { chainId: Value; safeAddress: Value; version: Value }
  'review.signatures.count': { count: Value; threshold: Value }
  'review.signatures.countAlone': { count: Value }
  'review.claims.proposer.name': { name: Value }
  'confirm.explanation': { account: Value }
  'confirm.refused.acknowledge': { count: Count }
  'approveHash.explanation': { account: Value }
  'propose.title.cancel': { nonce: Value }
  'propose.title.replace': { nonce: Value }
  'propose.token.named': { name: Value; symbol: Value }
  'propose.tokenAddress.found': { name: Value; symbol: Value; decimals: Value }
  'propose.balance': { amount: Value }
  'propose.amount.over': { amount: Value; missing: Value }
  'propose.nonce.hint': { nonce: Value }
  'propose.sign.explanation': { account: Value }
  'propose.sign.proposer': { account: Value }
  'propose.notOwner.sentence': { account: Value }
  'field.amount.separator': { typed: Value }
  'field.amount.not-a-number': { typed: Value }
  'field.amount.too-many-decimals': { typed: Value; symbol: Value; decimals: Value }
  'field.nonce.past': { nonce: Value; safeNonce: Value }
  'field.origin.too-long': { count: Value }
  'review.effects.more': { count: Count }
  'review.calls.all-read': { count: Count }
  'review.calls.undecoded': { count: Count; bytes: Count }
  'review.calls.not-all-read': { count: Count }
  'review.moves.more': { count: Count }
  'review.counterparties.more': { count: Count }
  'review.codes.result': { count: Count }
  'review.signatures.more': { count: Count }
  'review.signatures.result': { count: Count }
  'sources.count': { count: Count; needed: Value }
  'sources.same': { name: Value }
  'sources.other': { name: Value }
  'sources.nothing': { name: Value }
  'sources.elsewhere': { name: Value }
  'review.checks.passed': { count: Value }
  'review.checks.failed': { count: Value }
  'review.checks.not-checked': { count: Value }
  'finding.unknown': { id: Value }
  'check.unknown': { id: Value }
  'evidence.rule.value': { rule: Value }
  'evidence.period.value': { days: Count }
  'evidence.why.value': { why: Value }
  'evidence.unresolved.value': { why: Value }
  'evidence.range.value': { start: Value; end: Value }
  'nested.finding': { title: Value }
  'nested.finding.message': { title: Value }
  'report.result': { count: Count }
  'report.block': { block: Value }
  'report.policy': { version: Value }
  'report.acknowledged': { words: Value }
  'report.typed': { typed: Value }
  'report.reason': { reason: Value }
  'report.findings': { count: Count }
  'report.pack': { block: Value; hash: Value }
  'report.leftOut': { count: Count }
  'review.findings.times': { count: Count }
  'review.findings.more': { count: Count }
  'review.findings.unnamed': { count: Count }
  'review.checks.result': { passed: Value; total: Value }
  'effects.more': { count: Count }
  'effects.mayDiffer': { line: Value }
  'evidence.holds.value': { holds: Value }
  'transaction.used.sentence': { nonce: Value }
  'permission.WALLET_NOT_CONNECTED': { account: Value }
  'permission.NOT_AN_OWNER': { account: Value }
  'permission.THRESHOLD_NOT_REACHED': { missing: Count }
  'permission.NONCE_OUT_OF_ORDER': { safeNonce: Value }
  'permission.other': { code: Value }
  'verdict.counts': { passed: Value; failed: Value; notChecked: Value }
  'verdict.block': { block: Value }
  'verdict.matches-with-warnings.one-node': { count: Count }
  'verdict.matches-with-warnings': { count: Count }
  'review.head.purpose': { words: Value }
  'safes.waiting.do-not-sign': { count: Value }
  'safes.waiting.cannot-verify': { count: Value }
  'safes.waiting.matches-with-warnings': { count: Value }
  'effect.unknown': { key: Value }
  'effect.caller': { caller: Value }
  'effect.native-transfer': { value: Value; to: Value }
  'effect.erc20-transfer': { amount: Value; target: Value; to: Value }
  'effect.erc20-transfer-from': { amount: Value; target: Value; from: Value; to: Value }
  'effect.erc20-approve': { spender: Value; amount: Value; target: Value }
  'effect.nft-approve': { spender: Value; tokenId: Value; target: Value }
  'effect.nft-approve.nobody': { tokenId: Value; target: Value }
  'effect.erc20-allowance-change': { spender: Value; amount: Value; target: Value; function: Value }
  'effect.token-burn': { amount: Value; target: Value; from: Value }
  'effect.nft-transfer': { target: Value; from: Value; to: Value }
  'effect.nft-batch-transfer': { target: Value; from: Value; to: Value }
  'effect.nft-approve-all': { operator: Value; target: Value; approved: Value }
  'effect.owner-add': { owner: Value; target: Value; threshold: Value }
  'effect.owner-remove': { owner: Value; target: Value; threshold: Value }
  'effect.owner-swap': { oldOwner: Value; target: Value; newOwner: Value }
  'effect.threshold-change': { target: Value; threshold: Value }
  'effect.module-enable': { module: Value; target: Value }
  'effect.module-disable': { module: Value; target: Value }
  'effect.guard-set': { target: Value; guard: Value }
  'effect.guard-remove': { target: Value }
  'effect.module-guard-change': { target: Value; moduleGuard: Value }
  'effect.module-guard-change.nobody': { target: Value }
  'effect.handler-change': { target: Value; handler: Value }
  'effect.handler-change.nobody': { target: Value }
  'effect.singleton-change': { target: Value }
  'effect.settings-other': { target: Value; function: Value }
  'effect.ownership-transfer': { target: Value; function: Value }
  'effect.ownership-renounce': { target: Value; function: Value }
  'effect.proxy-upgrade': { target: Value; function: Value }
  'effect.role-change': { target: Value; function: Value }
  'effect.vote-cast': { support: Value; proposalId: Value; target: Value }
  'effect.votes-delegate': { target: Value; delegatee: Value }
  'effect.votes-delegate.nobody': { target: Value }
  'effect.order-create': { target: Value; function: Value }
  'effect.hash-approve': { hashToApprove: Value; target: Value }
  'effect.nested-transaction': { target: Value; function: Value }
  'effect.contract-create': { target: Value }
  'effect.empty-call': { target: Value }
  'effect.contract-call': { function: Value; target: Value }
  'effect.described-call': { intent: Value; contractName: Value; target: Value }
  'effect.unknown-call': { target: Value; bytes: Value }
  'effect.foreign-code': { target: Value }
  'effect.unreadable-batch': { target: Value }
  'effect.not-decoded': { target: Value }
  'verdict.not-checked.why': { why: Value }
  'wallet.verify.collecting.left': { duration: Value }
  'wallet.link.count': { count: Value; threshold: Value }
  'safe.title.on': { chain: Value }
  'safe.stale.sentence': { block: Value }
  'safe.owners.aside': { threshold: Value; count: Value }
  'safe.title.short': { ends: Value; chain: Value }
  'health.count': { good: Value; open: Value }
  'health.good': { points: Value }
  'health.code.old': { version: Value }
  'health.handler': { address: Value }
  'health.handler.missing': { address: Value }
  'health.modules': { count: Count; addresses: Value }
  'health.guard': { addresses: Value }
  'health.named': { name: Value; address: Value }
  'health.idle': { count: Count; since: Value; transactions: Value; addresses: Value }
  'health.owners': { count: Count; addresses: Value }
  'health.owners.missing': { count: Count; addresses: Value }
  'safe.owner': { number: Value }
  'safe.named': { name: Value; by: Value }
  'safe.named.endorsed': { name: Value; by: Value; endorsers: Value }
  'safe.giver.owner': { number: Value }
  'safe.giver.other': { author: Value }
  'safe.named.short': { name: Value }
  'safe.readAt': { block: Value }
  'safe.version.official': { version: Value }
  'safe.version.unofficial': { version: Value }
  'safe.version.lies': { reported: Value }
  'safe.threshold.value': { threshold: Value; count: Count }
  'safe.limits.spent': { spent: Value; amount: Value; symbol: Value }
  'safe.limits.every': { unit: Value; count: Count }
  'safe.name.saved': { name: Value }
  'several.upTo': { count: Count; nonce: Value }
  'several.button': { count: Count }
  'several.running': { executed: Value; count: Value }
  'several.explanation': { account: Value }
  'several.waits': { nonce: Value; reason: Value }
  'several.over': { executed: Value; count: Value }
  'run.grade': { grade: Value; block: Value }
  'run.rules': { name: Value }
  'run.other-machine': { name: Value }
  'run.node': { status: Value }
  'run.assumed.nonce': { nonce: Value }
  'run.moves.more': { count: Count }
  'run.moves.from-to': { before: Value; after: Value }
  'run.moves.item': { tokenId: Value }
  'run.slots': { count: Count }
  'run.calls.result': { count: Count; gas: Value }
  'run.calls.gas': { gas: Value }
  'run.calls.more': { count: Count }
  'run.failure.halt': { reason: Value }
  'run.failure.safe': { code: Value }
  'run.failure.said': { said: Value }
  'pack.made': { hash: Value }
  'pack.block': { block: Value }
  'pack.vouching': { status: Value; count: Count; needed: Value }
  'pack.safe': { threshold: Value; owners: Count; nonce: Value }
  'pack.signatures': { valid: Value; count: Count }
  'pack.part': { part: Value }
  'pack.more': { count: Count }
  'pack.hash': { hash: Value }
  'pack.by': { kilobytes: Count }
  'executed.earlier': { count: Count }
  'executed.sources': { count: Count; needed: Value }
  'executed.outcome': { outcome: Value }
  'executed.only-in-receipt': { count: Count }
  'executed.only-in-run': { count: Count }
  'parts.proved': { count: Value }
  'parts.one-node': { count: Value }
  'parts.unknown': { count: Value }
  'part.block': { number: Value }
  'pack.review': { verdict: Value }
  'pack.policy': { hash: Value }
  'team.delegates.scope.all': { chain: Value }
  'team.delegates.added': { label: Value }
  'team.delegates.remove.sure': { label: Value }
  'team.delegates.remove.sureAll': { label: Value }
  'team.viewers.added': { label: Value }
  'team.viewers.remove.sure': { label: Value }
  'team.access.device': { browser: Value; system: Value }
  'team.access.from': { address: Value }
  'team.access.end.of': { name: Value }
  'team.remove.of': { label: Value }
  'title.send': { tense: Value; what: Value; whom: Value }
  'title.sendFrom': { tense: Value; what: Value; from: Value; whom: Value }
  'title.allowance': { tense: Value; whom: Value; what: Value }
  'title.allowance.unlimited': { tense: Value; whom: Value; token: Value }
  'title.allowance.none': { tense: Value; whom: Value; token: Value }
  'title.allowance.change': { tense: Value; whom: Value; token: Value }
  'title.erc721-transfer': { tense: Value; whom: Value }
  'title.erc1155-transfer': { tense: Value; whom: Value }
  'title.owner.add': { tense: Value; whom: Value; threshold: Value }
  'title.owner.remove': { tense: Value; whom: Value; threshold: Value }
  'title.owner.swap': { tense: Value; old: Value; whom: Value }
  'title.threshold': { tense: Value; threshold: Value }
  'title.module.enable': { tense: Value; whom: Value }
  'title.module.disable': { tense: Value; whom: Value }
  'title.settings': { tense: Value; name: Value }
  'title.settings.other': { tense: Value; whom: Value; name: Value }
  'title.cancel': { tense: Value; nonce: Value }
  'title.empty': { tense: Value; whom: Value }
  'title.signMessage': { tense: Value }
  'title.delegatecall': { tense: Value }
  'title.batch': { tense: Value; count: Count }
  'title.batch.paying': { tense: Value; count: Count; what: Value }
  'title.batch.calls': { titles: Value }
  'title.then': { before: Value; next: Value }
  'title.payments': { tense: Value; what: Value; count: Count }
  'title.unread': { tense: Value; whom: Value }
  'title.selector': { tense: Value; selector: Value; whom: Value }
  'title.call': { tense: Value; name: Value; whom: Value }
  'title.approve': { tense: Value; whom: Value; title: Value }
  'title.approve.hash': { tense: Value; whom: Value }
  'title.with': { title: Value; what: Value }
  'title.refund': { title: Value; whom: Value; tense: Value; what: Value }
  'title.message.text': { tense: Value; words: Value }
  'title.message.typed': { tense: Value; words: Value }
  'title.message.unreadable': { tense: Value }
  'title.ofTab.do-not-sign': { title: Value }
  'title.ofTab.cannot-verify': { title: Value }
  'title.item': { id: Value }
  'title.itemOrAmount': { id: Value }
  'tokens.shown': { name: Value }
  'tokens.used.from': { address: Value }
  'tokens.chain': { chainId: Value }
  'tokens.revoke.of': { name: Value }
  'tokens.revoke.sure': { name: Value }
  'name.both': { known: Value; name: Value }
  'name.registered': { name: Value }
  'name.owner': { number: Value }
  'name.owner.you': { number: Value }
  'queue.mine': { count: Count }
  'queue.refused': { count: Count }
  'queue.nonce': { nonce: Value }
  'queue.gap': { nonce: Value }
  'queue.confirmations': { count: Value; threshold: Value }
  'history.transfer-in': { amount: Value }
  'history.transfer-out': { amount: Value }
  'history.transfer-in.ofNobody': { amount: Value }
  'history.transfer-out.ofNobody': { amount: Value }
  'history.unexplained-in': { amount: Value }
  'history.unexplained-out': { amount: Value }
  'amount.unlimited': { symbol: Value }
  'queue.action.of': { action: Value; title: Value }
  'queue.after': { nonce: Value }
  'queue.signers': { count: Value; threshold: Value; owners: Value }
  'queue.signers.none': { threshold: Value }
  'queue.signers.more': { count: Count }
  'queue.origin': { origin: Value }
  'queue.found': { count: Count }
  'queue.rivals': { count: Value; nonce: Value }
  'queue.tab': { count: Count }
  'waiting.none.sentence': { nonce: Value }
  'waiting.more': { count: Count }
  'waiting.refused': { nonce: Value }
  'queue.several': { count: Value }
  'wallet.connect.opening': { wallet: Value }
  'wallet.connect.waiting': { wallet: Value }
  'wallet.connect.waiting.extension': { wallet: Value }
  'wallet.connect.waiting.window': { wallet: Value }
  'wallet.connect.waiting.page': { wallet: Value }
  'wallet.connect.waiting.phone': { wallet: Value }
  'wallet.connect.rejected.sentence': { wallet: Value }
  'wallet.connect.busy': { wallet: Value }
  'wallet.connect.WALLET_POPUP_BLOCKED': { wallet: Value }
  'wallet.connect.WALLET_POPUP_BLOCKED.sentence': { wallet: Value }
  'wallet.connect.WALLET_POPUP_CLOSED': { wallet: Value }
  'wallet.connect.WALLET_POPUP_CLOSED.sentence': { wallet: Value }
  'wallet.connect.WALLET_LOCKED': { wallet: Value }
  'wallet.connect.WALLET_LOCKED.sentence': { wallet: Value }
  'wallet.connect.warning.contested': { count: Value; rdns: Value }
  'wallet.connect.contested.show': { count: Value }
  'wallet.connect.contested.one': { number: Value; count: Value }
  'wallet.connect.warning.imitates': { known: Value; rdns: Value }
  'wallet.connect.warning.sameName': { rdns: Value }
  'wallet.connect.warning.sameId': { rdns: Value }
  'wallet.connect.warning.mixedScripts': { rdns: Value }
  'wallet.connect.more': { count: Count }
  'wallet.notInstalled': { wallet: Value }
  'wallet.notInstalled.sentence': { wallet: Value }
  'wallet.notInstalled.install': { wallet: Value }
  'wallet.notAvailable': { wallet: Value }
  'wallet.get.visit': { wallet: Value }
  'wallet.network.cause': { wallet: Value; chainId: Value }
  'wallet.network.about': { wallet: Value }
  'wallet.network.chainId': { chainId: Value }
  'wallet.network.switch': { chain: Value }
  'wallet.network.waiting.hint': { wallet: Value }
  'wallet.network.rejected': { wallet: Value; chain: Value }
  'wallet.network.unsupported': { wallet: Value }
  'wallet.network.unsupported.sentence': { chain: Value; wallet: Value }
  'wallet.network.unknown': { wallet: Value; chain: Value }
  'wallet.network.copy': { name: Value }
  'wallet.verify.otherChain': { chain: Value }
  'wallet.verify.rejected.sentence': { wallet: Value }
  'wallet.verify.nodeAway': { chain: Value }
  'wallet.sessions.device': { browser: Value; system: Value }
  'wallet.sessions.from': { address: Value }
  'wallet.sessions.chain': { chainId: Value }
  'wallet.sessions.endOne': { device: Value }
  'wallet.sessions.endOthers': { count: Count }
  'wallet.sessions.ended': { count: Count }
  'wallet.recent.all': { count: Count }
  'demo.owner': { number: Value }
  'demo.error.method': { method: Value }
  'demo.error.account': { account: Value }
  'wallet.connect.ended': { wallet: Value }
  'wallet.button.profile': { account: Value }
  'wallet.ended.expired.sentence': { time: Value }
  'wallet.ended.revoked.sentence': { time: Value }
  'wallet.ended.revoked-by-owner.sentence': { time: Value }
  'wallet.ended.owners-changed.sentence': { time: Value }
  'wallet.ended.suspended.sentence': { time: Value }
  'wallet.ended.not-allowed.sentence': { time: Value }
  'walletConnect.scan.expires': { time: Value }
  'webhooks.numbered': { host: Value; number: Value }
  'webhooks.shown.sentence': { url: Value }
  'webhooks.waiting': { waiting: Count }
  'webhooks.enable.of': { name: Value }
  'webhooks.test.of': { name: Value }
  'webhooks.remove.of': { name: Value }
  'webhooks.remove.sure': { name: Value }
  'webhooks.delivery.took': { took: Value }
  'webhooks.answered': { status: Value }
  'webhooks.redeliver.of': { event: Value }
  'workspace.all.count': { count: Count }
  'workspace.switch.now': { name: Value }
  'workspace.switch.none': { words: Value }
  'workspace.safe.about': { chain: Value; threshold: Value; owners: Value }
  'workspace.waiting.transactions': { count: Count }
  'workspace.waiting.messages': { count: Count }
  'workspace.waiting.all': { count: Count }
  'toast.executed': { title: Value }
  'toast.failed': { title: Value }
  'toast.proposed': { who: Value; title: Value }
  'toast.confirmed': { who: Value; title: Value }
  'toast.many': { count: Count }
  'palette.none': { words: Value }
  'palette.found': { count: Count }
  'worth.about': { value: Value }
  'worth.less': { value: Value }
  'worth.by': { source: Value; age: Value }
  'worth.by.feed': { name: Value }
  'worth.by.pool': { name: Value }
  'worth.by.url': { name: Value }
  'worth.by.file': { name: Value }
  'worth.total': { priced: Value; all: Value }
  'worth.then': { value: Value }
  'worth.safes': { count: Count }
  'worth.unread': { count: Count }
  'worth.part': { count: Value }
}
