/**
 * The fabric {@code shm:PATH}: a pool that the processes of one machine share through mapped files, as with CXL in a
 * rack. There is no server: each process executes its own verbs, and file locks of the kernel tell which processes
 * live.
 *
 * <pre>
 *   PATH/pool                 the superblock, see {@link tidepool.fabric.shm.PoolLayout}
 *   PATH/node-0/meta          the node's own memory, see {@link tidepool.memory.NodeLayout}
 *   PATH/node-0/region-0      a region, see {@link tidepool.memory.RegionLayout}; one file each
 *   PATH/sessions/17.lock     locked as long as the process of session 17 lives
 *   PATH.lock                 locked while a process creates the pool; empty, and left there
 *   PATH.new-0123456789abcdef a pool being created, or the remains of one after its creator was killed
 * </pre>
 *
 * <p>The directory is created for its owner alone (mode 700): file permissions are the only boundary here. A process
 * refuses the pool of another user.
 */
package tidepool.fabric.shm;
