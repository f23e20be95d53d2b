DROP INDEX "activity_safe";--> statement-breakpoint
DROP INDEX "history_entry_rare";--> statement-breakpoint
DROP INDEX "session_address";--> statement-breakpoint
DROP INDEX "api_token_account";--> statement-breakpoint
DROP INDEX "refused_signature_safe";--> statement-breakpoint
DROP INDEX "safe_message_list";--> statement-breakpoint
DROP INDEX "webhook_delivery_log";--> statement-breakpoint
CREATE INDEX "history_entry_incoming" ON "history_entry" USING btree ("chain_id","safe_address","block_number","log_index","part","token_kind") WHERE "history_entry"."kind" = 'transfer-in';--> statement-breakpoint
CREATE INDEX "safe_message_changed" ON "safe_message" USING btree ("chain_id","safe_address","modified_date","message_hash");--> statement-breakpoint
CREATE INDEX "activity_safe" ON "activity" USING btree ("chain_id","safe_address","id");--> statement-breakpoint
CREATE INDEX "history_entry_rare" ON "history_entry" USING btree ("chain_id","safe_address","kind","block_number","log_index","part") WHERE "history_entry"."kind" not in ('executed', 'transfer-in', 'transfer-out');--> statement-breakpoint
CREATE INDEX "session_address" ON "session" USING btree ("address","created_at");--> statement-breakpoint
CREATE INDEX "api_token_account" ON "api_token" USING btree ("account","created_at");--> statement-breakpoint
CREATE INDEX "refused_signature_safe" ON "refused_signature" USING btree ("chain_id","safe_address","id");--> statement-breakpoint
CREATE INDEX "safe_message_list" ON "safe_message" USING btree ("chain_id","safe_address","submission_date","message_hash");--> statement-breakpoint
CREATE INDEX "webhook_delivery_log" ON "webhook_delivery" USING btree ("webhook_id","id");