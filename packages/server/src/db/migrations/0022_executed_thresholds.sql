-- What was read before has no threshold where no log of its own told it: the last that the history tells from before its
-- block, unless the threshold changed in that block, too. What that does not tell stays unknown.
UPDATE "multisig_transaction" t SET "executed_confirmations" = (
  SELECT h."threshold" FROM "history_entry" h
  WHERE h."chain_id" = t."chain_id" AND h."safe_address" = t."safe_address" AND h."block_number" < t."block_number"
    AND h."kind" IN ('created', 'threshold-changed') AND h."threshold" > 0
  ORDER BY h."block_number" DESC, h."log_index" DESC, h."part" DESC LIMIT 1
) WHERE t."is_executed" AND t."executed_confirmations" IS NULL AND NOT EXISTS (
  SELECT FROM "history_entry" h WHERE h."chain_id" = t."chain_id" AND h."safe_address" = t."safe_address"
    AND h."block_number" = t."block_number" AND h."kind" IN ('created', 'threshold-changed')
);
