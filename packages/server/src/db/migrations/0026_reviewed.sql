ALTER TABLE "activity" ADD COLUMN "reviewed" jsonb;--> statement-breakpoint
CREATE INDEX "activity_reviewed" ON "activity" USING btree ("chain_id","safe_address",coalesce('0x' || encode("safe_tx_hash", 'hex'), "detail" ->> 'safeMessageHash'),"id") WHERE "activity"."reviewed" is not null;--> statement-breakpoint
-- Entries without a report keep the text that their hash covers.
CREATE OR REPLACE FUNCTION activity_text(entry activity) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT (jsonb_build_object(
    'at', to_char(entry.at AT TIME ZONE 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'account', '0x' || encode(entry.account, 'hex'),
    'verb', entry.verb,
    'chainId', entry.chain_id,
    'safeAddress', '0x' || encode(entry.safe_address, 'hex'),
    'safeTxHash', '0x' || encode(entry.safe_tx_hash, 'hex'),
    'detail', entry.detail
  ) || CASE WHEN entry.reviewed IS NULL THEN '{}' ELSE jsonb_build_object('reviewed', entry.reviewed) END)::text
$$;
