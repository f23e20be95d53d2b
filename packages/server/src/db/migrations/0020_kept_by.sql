ALTER TABLE "multisig_transaction" ADD COLUMN "kept_by" "bytea";--> statement-breakpoint
UPDATE "multisig_transaction" SET "kept_by" = coalesce("proposed_by_delegate", "proposer") WHERE NOT "is_executed";--> statement-breakpoint
CREATE INDEX "multisig_transaction_kept" ON "multisig_transaction" USING btree ("kept_by","chain_id","safe_address") WHERE not "multisig_transaction"."is_executed";