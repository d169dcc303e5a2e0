/**
 * {@code shm:PATH}: a pool that the processes of one machine share through mapped files; what CXL gives a rack. There is
 * no server: whoever opens the pool carries out its own verbs, and the kernel's file locks tell who is still alive.
 *
 * <pre>
 *   PATH/pool                 the superblock, see {@link tidepool.fabric.shm.PoolLayout}
 *   PATH/node-0/meta          the node's own memory, see {@link tidepool.memory.NodeLayout}
 *   PATH/node-0/region-0      a region, see {@link tidepool.memory.RegionLayout}; one file each
 *   PATH/sessions/17.lock     locked as long as the process of session 17 lives
 *   PATH.lock                 locked while somebody creates the pool; empty, and left there
 *   PATH.new-0123456789abcdef a pool being created, or what a killed creator left of one
 * </pre>
 *
 * <p>The directory is created for its owner alone (mode 700): file permissions are the only boundary here. Widen them
 * to share a pool between users.
 */
package tidepool.fabric.shm;
