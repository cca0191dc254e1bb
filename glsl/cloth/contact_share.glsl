// Which list a thread shares out. Included once the size of workgroups is declared; dispatched in rows.
#ifndef CLOTH_CONTACT_SHARE
#define CLOTH_CONTACT_SHARE

#include "cloth/contact_surface.glsl"

// `place`: the thread's first in the list; further ones follow by `list_shares`.
struct Share {
    uint list_ix;
    uint place;
};

Share share_of_thread() {
    uint thread_ix = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
    return Share(thread_ix / list_shares, thread_ix % list_shares);
}

#endif
