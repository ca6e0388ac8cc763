-- Distributes the content of all spaces with Citus; see "Distributed content" in docs/scaling.md. Run it
-- once, with psql and ON_ERROR_STOP, in the service's database on the coordinator, while no process of the
-- service is running.

begin;

-- Use one connection to each server, because foreign keys connect some of the tables.
set local citus.multi_shard_modify_mode = 'sequential';

-- Copying rows to the shards would fire the triggers, so create them again afterwards.
drop trigger record_change on spaces;
drop trigger record_change on pages;
drop trigger record_change on parts;
drop trigger record_change on data_records;
drop trigger record_change on files;

select create_distributed_table('spaces', 'id');
select create_distributed_table('pages', 'space_id', colocate_with => 'spaces');
select create_distributed_table('parts', 'space_id', colocate_with => 'spaces');
select create_distributed_table('data_records', 'space_id', colocate_with => 'spaces');
select create_distributed_table('files', 'space_id', colocate_with => 'spaces');
select create_distributed_table('blobs', 'space_id', colocate_with => 'spaces');
select create_distributed_table('writes', 'space_id', colocate_with => 'spaces');
select create_distributed_table('changes', 'space_id', colocate_with => 'spaces');
select create_distributed_table('unused_objects', 'space_id', colocate_with => 'spaces');

-- The rows have been copied to the shards. Delete them on the coordinator.
select truncate_local_data_after_distributing_table('spaces');
select truncate_local_data_after_distributing_table('pages');
select truncate_local_data_after_distributing_table('parts');
select truncate_local_data_after_distributing_table('data_records');
select truncate_local_data_after_distributing_table('files');
select truncate_local_data_after_distributing_table('blobs');
select truncate_local_data_after_distributing_table('writes');
select truncate_local_data_after_distributing_table('changes');
select truncate_local_data_after_distributing_table('unused_objects');

-- Each trigger writes to the shards of its own space, so it is safe.
set local citus.enable_unsafe_triggers = on;
create trigger record_change after update of name on spaces for each row when (old.name <> new.name)
  execute function record_change('space', 'name');
create trigger record_change after insert or update or delete on pages for each row execute function record_change('page');
create trigger record_change after insert or update or delete on parts for each row execute function record_change('part');
create trigger record_change after insert or update or delete on data_records for each row
  execute function record_change('record');
create trigger record_change after insert or update or delete on files for each row execute function record_change('file');

commit;
