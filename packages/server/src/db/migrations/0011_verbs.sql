ALTER TABLE "multisig_transaction" ADD COLUMN "domain_version" text;--> statement-breakpoint
CREATE INDEX "confirmation_approved" ON "confirmation" USING btree ("chain_id","verified_block") WHERE "confirmation"."signature_type" = 'APPROVED_HASH';--> statement-breakpoint
CREATE INDEX "history_entry_approved" ON "history_entry" USING btree ("chain_id","safe_tx_hash") WHERE "history_entry"."kind" = 'hash-approved';--> statement-breakpoint
-- Proposals were only taken with the hash that the Safe has.
UPDATE "multisig_transaction" AS t SET "domain_version" = s."domain_version" FROM "safe" AS s
WHERE s."chain_id" = t."chain_id" AND s."address" = t."safe_address" AND t."proposer" IS NOT NULL AND NOT t."is_executed";
