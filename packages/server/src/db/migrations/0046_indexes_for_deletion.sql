CREATE INDEX "safe_created" ON "safe" USING btree ("chain_id","created_block") WHERE "safe"."created_block" is not null;--> statement-breakpoint
CREATE INDEX "safe_list_entry_safe" ON "safe_list_entry" USING btree ("chain_id","safe_address");--> statement-breakpoint
CREATE INDEX "delegate_label" ON "delegate" USING btree ("label","chain_id");--> statement-breakpoint
CREATE INDEX "delegate_expires" ON "delegate" USING btree ("expiry_date") WHERE "delegate"."expiry_date" is not null;