/** A proxy between clients and a memory node that holds, delays, loses and cuts what passes, frame by frame. */
package tidepool.workload.proxy;
