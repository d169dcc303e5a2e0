/** A proxy between clients and a memory node that holds, delays, drops and cuts frames. */
package tidepool.workload.proxy;
