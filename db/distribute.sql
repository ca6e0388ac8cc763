-- Distributes the content of all spaces with Citus; see "Distributed content" in docs/scaling.md. Run it
-- once, with psql and ON_ERROR_STOP, in the service's database on the coordinator, while no process of the
-- service is running.

begin;

-- Use one connection to each server, because foreign keys connect some of the tables.
set local citus.multi_shard_modify_mode = 'sequential';

select create_distributed_table('spaces', 'id');
select create_distributed_table('pages', 'space_id', colocate_with => 'spaces');
select create_distributed_table('parts', 'space_id', colocate_with => 'spaces');
select create_distributed_table('data_records', 'space_id', colocate_with => 'spaces');
select create_distributed_table('files', 'space_id', colocate_with => 'spaces');
select create_distributed_table('blobs', 'space_id', colocate_with => 'spaces');
select create_distributed_table('changes', 'space_id', colocate_with => 'spaces');
select create_distributed_table('bodies', 'space_id', colocate_with => 'spaces');
select create_distributed_table('unused_objects', 'space_id', colocate_with => 'spaces');

-- The rows have been copied to the shards. Delete them on the coordinator.
select truncate_local_data_after_distributing_table('spaces');
select truncate_local_data_after_distributing_table('pages');
select truncate_local_data_after_distributing_table('parts');
select truncate_local_data_after_distributing_table('data_records');
select truncate_local_data_after_distributing_table('files');
select truncate_local_data_after_distributing_table('blobs');
select truncate_local_data_after_distributing_table('changes');
select truncate_local_data_after_distributing_table('bodies');
select truncate_local_data_after_distributing_table('unused_objects');

commit;
